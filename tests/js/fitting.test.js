import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestCards, linesKept, notBrokenBefore } from '../../src/illusion/web/static/js/table/fitting.js';

const COUNTS = [3, 6, 10, 15];
const HEIGHT_TO_WIDTH = 880 / 630;

const PHONE = { seam: 6, lead: 12, under: 16 };
const TABLET = { seam: 10, lead: 18, under: 24 };
const SIDEWAYS = { seam: 8, lead: 14, under: 16 };
const LAPTOP = { seam: 14, lead: 20, under: 28, spare: 1 };
const LARGE = { seam: 18, lead: 28, under: 32, spare: 1 };

/**
 * What css/table.css leaves for the row on each screen, and how wide its cards have to be with 3, 6, 10 and 15 in it.
 * tests/web/browser/test_whole_row.py measures the same on the page.
 * @type {[screen: string, room: import('../../src/illusion/web/static/js/table/fitting.js').Room, least: number[]][]}
 */
const SCREENS = [
  ['390×844', { width: 380, height: 479, ...PHONE }, [150, 115, 85, 72]],
  ['360×640', { width: 350, height: 344, ...PHONE }, [105, 100, 70, 58]],
  ['320×568', { width: 310, height: 296, ...PHONE }, [90, 88, 58, 50]],
  ['844×390', { width: 684, height: 346, ...SIDEWAYS }, [190, 110, 110, 72]],
  ['768×1024', { width: 758, height: 597, ...TABLET }, [220, 190, 130, 122]],
  ['1366×768', { width: 1098, height: 696, ...LAPTOP }, [230, 200, 165, 138]],
  ['1440×900', { width: 1158, height: 828, ...LAPTOP }, [250, 230, 175, 160]],
  ['2560×1440', { width: 2072, height: 1368, ...LARGE }, [450, 400, 320, 270]],
  ['television', { width: 1462, height: 969, ...LARGE, under: 40, spare: 0 }, [420, 305, 245, 200]],
];

const LONGEST = 40;

for (const [screen, room, least] of SCREENS) {
  test(`cards are large enough on ${screen}`, () => {
    const widths = COUNTS.map((cards) => largestCards(cards, room).card);
    for (const [at, width] of widths.entries()) assert.ok(width >= (least[at] ?? 0), `${COUNTS[at]} cards: ${width}`);
  });

  test(`the whole row is in sight on ${screen}, with room for one card more in every line where that is wanted`, () => {
    for (let cards = 1; cards <= LONGEST; cards += 1) {
      const { card, lines } = largestCards(cards, room);
      const perLine = Math.max(...lines) + (room.spare ?? 0);
      assert.equal(
        lines.reduce((sum, count) => sum + count, 0),
        cards,
      );
      assert.ok(card >= 28, `${cards} cards are of no use with ${card} px`);
      assert.ok(room.lead + perLine * (card + room.seam) <= room.width, `${cards} cards are too wide`);
      assert.ok(lines.length * (card * HEIGHT_TO_WIDTH + room.under) <= room.height, `${cards} cards are too high`);
    }
  });

  test(`no other number of lines allows much larger cards on ${screen}`, () => {
    for (let cards = 1; cards <= LONGEST; cards += 1) {
      const { card } = largestCards(cards, room);
      const larger = card * (card < 104 ? 1.05 : 1.15) + 1;
      for (let perLine = 1; perLine <= cards; perLine += 1) {
        const isHigh = Math.ceil(cards / perLine) * (larger * HEIGHT_TO_WIDTH + room.under) > room.height;
        const isWide = room.lead + (perLine + (room.spare ?? 0)) * (larger + room.seam) > room.width;
        assert.ok(isHigh || isWide, `${cards} cards fit with ${larger} px, ${perLine} in a line`);
      }
    }
  });
}

const SCREEN = { width: 1158, height: 828, ...LAPTOP };

test('lines stay as they are unless other ones allow larger cards', () => {
  assert.deepEqual(largestCards(7, SCREEN, [3, 4]).lines, [3, 4]);
  assert.deepEqual(largestCards(7, SCREEN).lines, [4, 3]);
  assert.deepEqual(largestCards(7, SCREEN, [6, 1]), largestCards(7, SCREEN));
});

test('a new card joins its neighbours, and the shorter line of two', () => {
  const before = [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ];
  assert.deepEqual(linesKept(before, ['a', 'x', 'b', 'c', 'd', 'e']), [4, 2]);
  assert.deepEqual(linesKept(before, ['a', 'b', 'c', 'x', 'd', 'e']), [3, 3]);
  assert.deepEqual(linesKept(before, ['x', 'a', 'b', 'c', 'd', 'e']), [4, 2]);
  assert.deepEqual(linesKept(before, ['a', 'b', 'c', 'd', 'e', 'x']), [3, 3]);
  assert.deepEqual(linesKept(before, ['x']), [], 'another row');
});

test('a row of more than forty keeps the size that forty have, and scrolls', () => {
  const room = { width: 380, height: 479, ...PHONE };
  assert.equal(largestCards(60, room).card, largestCards(40, room).card);
  assert.equal(
    largestCards(60, room).lines.reduce((sum, count) => sum + count, 0),
    60,
  );
});

test('a room without space has no cards, and an empty row is no error', () => {
  assert.deepEqual(largestCards(5, { width: 0, height: 0, ...PHONE }), {
    card: 0,
    lines: [5],
  });
  assert.ok(largestCards(0, { width: 380, height: 479, ...PHONE }).card > 0);
});

test('a line is broken before no card that has to be seen beside the one before it', () => {
  assert.deepEqual(notBrokenBefore([4, 3], [4]), [3, 4]);
  assert.deepEqual(notBrokenBefore([4, 4], [4]), [5, 3]);
  assert.deepEqual(notBrokenBefore([4, 3], [3, 6]), [4, 3]);
  assert.deepEqual(
    notBrokenBefore([3, 3, 3], [3, 6]).reduce((sum, count) => sum + count),
    9,
  );
});
