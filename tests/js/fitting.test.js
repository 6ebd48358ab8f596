import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestCards } from '../../src/illusion/web/static/js/table/layout.js';

const COUNTS = [3, 6, 10, 15];
const HEIGHT_TO_WIDTH = 880 / 630;

const PHONE = { seam: 6, lead: 12, under: 16 };
const TABLET = { seam: 10, lead: 18, under: 18 };
const SIDEWAYS = { seam: 8, lead: 14, under: 16 };
const LAPTOP = { seam: 16, lead: 24, under: 22 };
const LARGE = { seam: 22, lead: 36, under: 26 };

/**
 * What css/table.css leaves for the row on each screen, and how wide its cards have to be with 3, 6, 10 and 15 in it.
 * tests/web/browser/test_whole_row.py measures the same on the page.
 * @type {[screen: string, room: import('../../src/illusion/web/static/js/table/layout.js').Room, least: number[]][]}
 */
const SCREENS = [
  ['390×844', { width: 380, height: 479, ...PHONE }, [150, 115, 85, 72]],
  ['360×640', { width: 350, height: 344, ...PHONE }, [105, 100, 70, 58]],
  ['320×568', { width: 310, height: 296, ...PHONE }, [90, 88, 58, 50]],
  ['844×390', { width: 684, height: 346, ...SIDEWAYS }, [190, 110, 110, 72]],
  ['768×1024', { width: 758, height: 597, ...TABLET }, [220, 190, 130, 122]],
  ['1366×768', { width: 1042, height: 696, ...LAPTOP }, [300, 220, 180, 145]],
  ['1440×900', { width: 1100, height: 828, ...LAPTOP }, [320, 265, 190, 175]],
  ['2560×1440', { width: 2064, height: 1368, ...LARGE }, [600, 440, 350, 290]],
  ['television', { width: 1462, height: 969, ...LARGE }, [420, 305, 245, 200]],
];

for (const [screen, room, least] of SCREENS) {
  test(`cards are large enough on ${screen}`, () => {
    const widths = COUNTS.map((cards) => largestCards(cards, room).card);
    for (const [at, width] of widths.entries()) assert.ok(width >= (least[at] ?? 0), `${COUNTS[at]} cards: ${width}`);
  });

  test(`the whole row is in sight on ${screen}`, () => {
    for (let cards = 1; cards <= 15; cards += 1) {
      const { card, perLine } = largestCards(cards, room);
      const lines = Math.ceil(cards / perLine);
      assert.ok(room.lead + perLine * (card + room.seam) <= room.width, `${cards} cards are too wide`);
      assert.ok(lines * (card * HEIGHT_TO_WIDTH + room.under) <= room.height, `${cards} cards are too high`);
    }
  });

  test(`no other number of lines allows larger cards on ${screen}`, () => {
    for (let cards = 1; cards <= 15; cards += 1) {
      const { card } = largestCards(cards, room);
      for (let perLine = 1; perLine <= cards; perLine += 1) {
        const larger = card + 1;
        const isHigh = Math.ceil(cards / perLine) * (larger * HEIGHT_TO_WIDTH + room.under) > room.height;
        const isWide = room.lead + perLine * (larger + room.seam) > room.width;
        assert.ok(isHigh || isWide, `${cards} cards fit with ${larger} px, ${perLine} in a line`);
      }
    }
  });
}

test('a longer row keeps the size that fifteen have, and scrolls', () => {
  const room = { width: 380, height: 479, ...PHONE };
  assert.deepEqual(largestCards(40, room), largestCards(15, room));
});

test('a room without space has no cards, and an empty row is no error', () => {
  assert.deepEqual(largestCards(5, { width: 0, height: 0, ...PHONE }), { card: 0, perLine: 1 });
  assert.ok(largestCards(0, { width: 380, height: 479, ...PHONE }).card > 0);
});
