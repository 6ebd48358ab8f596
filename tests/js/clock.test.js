import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createState, elapsed_s } from '../../src/illusion/web/static/js/table/state.js';
import { stateOf, viewOf } from './tables.js';

test('a turn has lasted since it began', () => {
  assert.equal(elapsed_s(stateOf([1]), { turn_began: 1000 }, 1_012_500), 12.5);
});

test("the server's time counts, not this device's", () => {
  const page = { held: [1], now: 5000, reading: 8, view: viewOf() }; // the device's clock is 4000 seconds slow
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
