import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestCards } from '../../src/illusion/web/static/js/shared/fitting.js';
import { inPalette } from '../../src/illusion/web/static/js/shared/pictures.js';

test("a picture's address has the viewer's palette, and none for the standard one", () => {
  assert.equal(inPalette('/cards/abcd2345x.svg', 'texture'), '/cards/abcd2345x.svg?palette=texture');
  assert.equal(
    inPalette('/cards/abcd2345x.svg?palette=texture', 'tritanopia'),
    '/cards/abcd2345x.svg?palette=tritanopia',
  );
  assert.equal(inPalette('/sample/5.svg?palette=texture', 'standard'), '/sample/5.svg');
  assert.equal(inPalette('/sample/5.svg', undefined), '/sample/5.svg');
});

test('other pictures stay as they are', () => {
  for (const address of ['/faces/keen/Iris.svg', '/static/1/icons/favicon.svg', '']) {
    assert.equal(inPalette(address, 'texture'), address);
  }
});

test('a few cards fill one line, many take several', () => {
  const room = { width: 1800, height: 500, gap: 16, under: 10 };
  assert.equal(largestCards(3, room).perLine, 3);
  assert.equal(largestCards(14, room).perLine, 7);
  assert.ok(largestCards(14, room).card < largestCards(3, room).card);
});

test('the cards fit: no line is wider, and all lines together are not higher than the room', () => {
  const room = { width: 1280, height: 400, gap: 13, under: 8 };
  for (let cards = 1; cards <= 30; cards += 1) {
    const { card, perLine } = largestCards(cards, room);
    const lines = Math.ceil(cards / perLine);
    assert.ok(perLine * (card + room.gap) <= room.width, `${cards} cards are too wide`);
    assert.ok(lines * ((card * 880) / 630 + room.gap + room.under) <= room.height, `${cards} cards are too high`);
  }
});
