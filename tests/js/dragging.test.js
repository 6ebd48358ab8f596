import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDrag, isNear, nearest, scrollSpeed } from '../../src/illusion/web/static/js/shared/dragging.js';

const ROW = { left: 100, right: 900, top: 200, bottom: 360 };

test('a press that hardly moves is no drag', () => {
  const down = { clientX: 10, clientY: 10 };
  assert.equal(isDrag(down, { clientX: 15, clientY: 15 }), false);
  assert.equal(isDrag(down, { clientX: 18, clientY: 10 }), true);
  assert.equal(isDrag(down, { clientX: 10, clientY: 2 }), true);
});

test('the nearest gap, the first of two equally near, none without gaps', () => {
  assert.equal(nearest([100, 200, 300], 60), 0);
  assert.equal(nearest([100, 200, 300], 151), 1);
  assert.equal(nearest([100, 200, 300], 150), 0);
  assert.equal(nearest([100, 200, 300], 1000), 2);
  assert.equal(nearest([], 150), -1);
});

test('a card can be dropped a little above and below the row', () => {
  assert.equal(isNear(ROW, 280), true);
  assert.equal(isNear(ROW, 150), true);
  assert.equal(isNear(ROW, 130), false);
  assert.equal(isNear(ROW, 390), true);
  assert.equal(isNear(ROW, 410), false);
});

test('at its ends the row scrolls on', () => {
  assert.ok(scrollSpeed(ROW, 120) < 0);
  assert.equal(scrollSpeed(ROW, 500), 0);
  assert.ok(scrollSpeed(ROW, 880) > 0);
});
