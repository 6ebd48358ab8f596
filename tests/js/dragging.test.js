import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDrag, isNear, nearest } from '../../src/illusion/web/static/js/shared/gaps.js';

/**
 * Gaps 44 px wide around these x, in a line of cards 140 px high.
 * @param {number} top
 * @param {...number} centres
 */
const line = (top, ...centres) => centres.map((x) => ({ left: x - 22, right: x + 22, top, bottom: top + 140 }));

/**
 * @param {number} clientX
 * @param {number} clientY
 */
const at = (clientX, clientY) => ({ clientX, clientY });

test('a press that hardly moves is no drag', () => {
  const down = at(10, 10);
  assert.equal(isDrag(down, at(15, 15)), false);
  assert.equal(isDrag(down, at(18, 10)), true);
  assert.equal(isDrag(down, at(10, 2)), true);
});

test('the nearest gap, the first of two equally near, none without gaps', () => {
  const gaps = line(200, 100, 200, 300);
  assert.equal(nearest(gaps, at(60, 270)), 0);
  assert.equal(nearest(gaps, at(151, 270)), 1);
  assert.equal(nearest(gaps, at(150, 270)), 0);
  assert.equal(nearest(gaps, at(1000, 270)), 2);
  assert.equal(nearest([], at(150, 270)), -1);
});

test('in a row of several lines, the line under the pointer counts before the distance to the side', () => {
  const gaps = [...line(200, 100, 200, 300), ...line(350, 100, 200, 300)];
  assert.equal(nearest(gaps, at(300, 210)), 2);
  assert.equal(nearest(gaps, at(300, 480)), 5);
  assert.equal(nearest([...line(200, 100, 200, 300), ...line(350, 100)], at(300, 400)), 3); // the line ends early
});

test('between and around the lines, the nearer line counts', () => {
  const gaps = [...line(200, 100, 200), ...line(350, 100, 200)];
  assert.equal(nearest(gaps, at(200, 342)), 1);
  assert.equal(nearest(gaps, at(200, 348)), 3);
  assert.equal(nearest(gaps, at(100, 150)), 0);
  assert.equal(nearest(gaps, at(100, 530)), 2);
});

test('a card can be dropped a little above and below the row', () => {
  const row = { top: 200, bottom: 360 };
  for (const [clientY, near] of /** @type {const} */ ([
    [280, true],
    [150, true],
    [130, false],
    [390, true],
    [430, false],
  ])) {
    assert.equal(isNear(row, { clientY }), near, `at ${clientY}`);
  }
});
