import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  beginMove,
  chooseGap,
  isAway,
  isHost,
  isMe,
  isMyTurn,
  legalGaps,
  mayDoubt,
  takeView,
} from '../../src/illusion/web/static/js/table/state.js';
import { player, stateOf, viewOf } from './tables.js';

const CARDS = ['abcd2345a', 'abcd2345b', 'abcd2345c', 'abcd2345d', 'abcd2345e'];

/** @param {number[]} seats whose people are away */
const away = (...seats) => ({ players: [0, 1, 2].map((seat) => player(seat, `Guest ${seat}`, seats.includes(seat))) });

test('only the device that holds the seat at turn may do what is legal', () => {
  assert.deepEqual(legalGaps(stateOf([1])), [0, 1, 2]);
  assert.deepEqual(legalGaps(stateOf([0, 1])), [0, 1, 2]);
  for (const held of [[0], []]) {
    assert.deepEqual(legalGaps(stateOf(held)), []);
    assert.equal(mayDoubt(stateOf(held)), false);
    assert.equal(isMyTurn(stateOf(held)), false);
  }
  assert.equal(isMyTurn(stateOf([1], { phase: 'over' })), false);
});

test('what is legal is what the server says, whatever is on the table', () => {
  const state = stateOf([1], { row: CARDS.slice(0, 5), next_card: 'abcd2345more', legal: { gaps: [3], doubt: false } });
  assert.deepEqual(legalGaps(state), [3]);
  assert.equal(mayDoubt(state), false);
  assert.equal(chooseGap(state, 0), false);
  assert.equal(chooseGap(state, 3), true);
  assert.equal(state.chosenGap, 3);
});

test('seat 0 is a seat', () => {
  assert.equal(isMyTurn(stateOf([0], { to_play: 0 })), true);
  assert.equal(isHost(stateOf([0])), true);
  assert.equal(isHost(stateOf([0], { host: null })), false);
  assert.equal(isMe(stateOf([0]), 0), true);
});

test('nobody is "you" where one device is passed around', () => {
  assert.equal(isMe(stateOf([0, 1]), 0), false);
  assert.equal(isMe(stateOf([]), 0), false);
});

test('a device is away when bots stand in for all its seats', () => {
  assert.equal(isAway(stateOf([0, 1], away(1))), false);
  assert.equal(isAway(stateOf([0, 1], away(0, 1, 2))), true);
  assert.equal(isAway(stateOf([], away(0, 1))), false);
  assert.equal(isAway(stateOf([1], { phase: 'over', ...away(1) })), false);
});

test('a move answers the state that it was made in, and only one is under way', () => {
  const state = stateOf([1]);
  chooseGap(state, 2);
  assert.deepEqual(beginMove(state, { move: 'place', gap: 2 }), { move: 'place', gap: 2, seq: 10 });
  assert.equal(beginMove(state, { move: 'doubt' }), null);
  assert.equal(chooseGap(state, 1), false);
  assert.equal(beginMove(stateOf([0]), { move: 'doubt' }), null);
});

test('a chosen gap stays chosen while the row is the same', () => {
  const state = stateOf([1]);
  chooseGap(state, 2);
  takeView(state, viewOf({ seq: 11, ...away(0) })); // somebody left
  assert.equal(state.chosenGap, 2);
  assert.equal(state.view.seq, 11);
  takeView(state, viewOf({ seq: 12, to_play: 0, row: CARDS.slice(0, 3), next_card: 'abcd2345more' }));
  assert.equal(state.chosenGap, null);
});

test('where one device is passed around, the next player starts without a choice', () => {
  const state = stateOf([0, 1]);
  chooseGap(state, 2);
  const next = {
    seq: 11,
    to_play: 0,
    row: CARDS.slice(0, 3),
    next_card: 'abcd2345more',
    legal: { gaps: [0, 1, 2, 3], doubt: true },
  };
  takeView(state, viewOf(next));
  assert.equal(state.chosenGap, null);
});

test('a chosen gap that is not legal any more is taken back', () => {
  const state = stateOf([1]);
  chooseGap(state, 2);
  takeView(state, viewOf({ seq: 11, legal: { gaps: [0, 1], doubt: true } }));
  assert.equal(state.chosenGap, null);
});

test('a newer table ends waiting for an answer', () => {
  const state = stateOf([1]);
  beginMove(state, { move: 'doubt' });
  takeView(state, viewOf({ seq: 11 }));
  assert.equal(state.sending, false);
});
