import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapByKey } from '../../src/illusion/web/static/js/shared/gaps.js';
import { meaning } from '../../src/illusion/web/static/js/table/placing.js';
import { stateOf } from './tables.js';

const PLAIN = { ctrlKey: false, metaKey: false, altKey: false };
const ON_PAGE = { letters: ['d', 'n', 'l', '?'], onControl: false };

/**
 * @param {ReturnType<typeof stateOf>} state
 * @param {string} key
 * @param {Partial<typeof ON_PAGE>} [where]
 */
const pressed = (state, key, where) => meaning(state, { key, ...PLAIN }, { ...ON_PAGE, ...where });

test('the arrows go through the gaps and stop at the ends', () => {
  const gaps = [0, 1, 2];
  assert.equal(gapByKey(gaps, null, 'ArrowRight'), 0);
  assert.equal(gapByKey(gaps, null, 'ArrowLeft'), 2);
  assert.equal(gapByKey(gaps, 1, 'ArrowRight'), 2);
  assert.equal(gapByKey(gaps, 2, 'ArrowRight'), 2);
  assert.equal(gapByKey(gaps, 0, 'ArrowLeft'), 0);
  assert.equal(gapByKey(gaps, 1, 'Home'), 0);
  assert.equal(gapByKey(gaps, 1, 'End'), 2);
  assert.equal(gapByKey(gaps, 1, 'x'), null);
});

test('only gaps that can be chosen are stepped through', () => {
  assert.equal(gapByKey([1, 4], 1, 'ArrowRight'), 4);
  assert.equal(gapByKey([1, 4], null, 'Home'), 1);
  for (const key of ['ArrowRight', 'ArrowLeft', 'Home', 'End']) assert.equal(gapByKey([], null, key), null);
});

test('gap keys do nothing when it is not our turn', () => {
  assert.deepEqual(pressed(stateOf([1]), 'ArrowRight'), { do: 'choose', gap: 0 });
  assert.deepEqual(pressed(stateOf([0]), 'ArrowRight'), { do: 'nothing' });
});

test('Enter places only a chosen card, and presses what has the focus', () => {
  const state = stateOf([1]);
  assert.deepEqual(pressed(state, 'Enter'), { do: 'nothing' });
  state.chosenGap = 1;
  assert.deepEqual(pressed(state, 'Enter'), { do: 'place' });
  assert.deepEqual(pressed(state, 'Enter', { onControl: true }), { do: 'nothing' });
});

test('letters count in either case, and not with Ctrl, Alt or Cmd', () => {
  assert.deepEqual(pressed(stateOf([1]), 'D'), { do: 'letter', letter: 'd' });
  assert.deepEqual(pressed(stateOf([1]), 'x'), { do: 'nothing' });
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) {
    assert.deepEqual(meaning(stateOf([1]), { key: 'd', ...PLAIN, [modifier]: true }, ON_PAGE), { do: 'nothing' });
  }
});

test('Escape cancels', () => {
  assert.deepEqual(pressed(stateOf([]), 'Escape'), { do: 'cancel' });
});
