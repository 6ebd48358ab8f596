import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsLeft } from '../../src/illusion/web/static/js/table/sound.js';
import { createState, elapsed_s } from '../../src/illusion/web/static/js/table/state.js';
import { stateOf, viewOf } from './tables.js';

test('a turn has lasted since it began', () => {
  assert.equal(elapsed_s(stateOf([1]), { turn_began: 1000 }, 1_012_500), 12.5);
});

test("the server's time counts, not this device's", () => {
  const page = { held: [1], waits: false, now: 5000, reading: 8, view: viewOf() }; // the device's clock is 4000 seconds slow
  const state = createState(page, { now_ms: 1_000_000 });
  assert.equal(elapsed_s(state, { turn_began: 4990 }, 1_005_000), 15);
});

test('a turn that begins in the future has not lasted at all', () => {
  assert.equal(elapsed_s(stateOf([1]), { turn_began: 2000 }, 1_000_000), 0);
});

test('after a doubt the turn begins when the reveal was closed, but not for ever later', () => {
  const state = stateOf([1]);
  state.wentOn_ms = 1_005_000;
  assert.equal(elapsed_s(state, { turn_began: 1000 }, 1_012_000), 7);
  state.wentOn_ms = 1_060_000; // somebody read for a minute
  assert.equal(elapsed_s(state, { turn_began: 1000 }, 1_060_000), 52);
  state.wentOn_ms = 900_000; // a reveal of an earlier round
  assert.equal(elapsed_s(state, { turn_began: 1000 }, 1_012_000), 12);
});

test('the last seconds of our turn are counted, and of nobody else’s', () => {
  const state = stateOf([1], { clock: 20 });
  assert.deepEqual(secondsLeft(state, 1_015_500), { left: 5, next_ms: 520 });
  assert.deepEqual(secondsLeft(state, 1_001_000), { left: 19, next_ms: 14_020 });
  assert.equal(secondsLeft(stateOf([1], { clock: 86_400 }), 1_001_000)?.next_ms, 3_600_020);
  assert.equal(secondsLeft(state, 1_016_000)?.left, 4);
  assert.equal(secondsLeft(state, 1_030_000)?.left, 0);
  assert.equal(secondsLeft(stateOf([0], { clock: 20 }), 1_016_000), null);
  assert.equal(secondsLeft(stateOf([1], { clock: null }), 1_016_000), null);
});
