import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeDelay_ms } from '../../src/illusion/web/static/js/draw/reveal.js';
import { dealtAlone_ms, pause_ms } from '../../src/illusion/web/static/js/table/following.js';
import { isDoubtWaiting, takeMessage } from '../../src/illusion/web/static/js/table/state.js';
import { DOUBTED, message, PLACED, stateOf, WRONG_ROW } from './tables.js';

test('a new event is shown and said', () => {
  const state = stateOf([1]);
  const placed = message(11, [PLACED]);
  assert.deepEqual(takeMessage(state, placed), {
    view: placed.view,
    placedCard: 'abcd2345c',
    reveal: false,
    isNew: true,
    rematch: null,
    isLost: false,
  });
  assert.equal(state.lastEvent, 11);
});

test('what is sent again after a lost connection is not said or revealed again', () => {
  const state = stateOf([1]);
  const doubted = message(11, [DOUBTED], { last_doubt: WRONG_ROW });
  assert.equal(takeMessage(state, doubted).reveal, true);
  state.view = doubted.view;
  assert.deepEqual(takeMessage(state, doubted), {
    view: null,
    placedCard: null,
    reveal: false,
    isNew: false,
    rematch: null,
    isLost: false,
  });
});

test('an event that the page already shows is said, but its table is not shown again', () => {
  const state = stateOf([1], { seq: 12 });
  const todo = takeMessage(state, message(11, [PLACED]));
  assert.equal(todo.view, null);
  assert.equal(todo.isNew, true);
});

test('an event can come with a table that is further on: one message brings everything that was missed', () => {
  const late = { ...message(14, [PLACED]), event: message(11, [PLACED]).event };
  assert.equal(takeMessage(stateOf([1]), late).view?.seq, 14);
});

test('a doubt turns the row over', () => {
  const awarded = /** @type {const} */ ({ event: 'arrow-awarded', seat: 0, arrow: 'red' });
  const turned = { last_doubt: WRONG_ROW };
  assert.equal(takeMessage(stateOf([1]), message(11, [DOUBTED, awarded], turned)).reveal, true);
  assert.equal(takeMessage(stateOf([1]), message(11, [awarded], turned)).reveal, false);
});

test('a rematch is told of', () => {
  const again = message(11, []);
  again.event = { ...again.event, entry: 'played-again', table: 'wxyz6789' };
  assert.equal(takeMessage(stateOf([1]), again).rematch, 'wxyz6789');
});

test('a seat of this device is lost when somebody else sits there, or to a host who sends us away', () => {
  for (const entry of ['sat-down', 'stood-up', 'sent-away']) {
    const lost = message(11, []);
    lost.event = { ...lost.event, entry, seat: 1 };
    assert.equal(takeMessage(stateOf([1]), lost).isLost, true);
    assert.equal(takeMessage(stateOf([0, 2]), lost).isLost, false);
  }
  assert.equal(takeMessage(stateOf([1]), message(11, [PLACED])).isLost, false);
});

test('a long queue is shown faster', () => {
  assert.ok(pause_ms(6) < pause_ms(5));
  assert.equal(pause_ms(1), pause_ms(5));
});

test('players without a clock are not hurried through a reveal', () => {
  assert.equal(closeDelay_ms(stateOf([1]), 5), null);
  assert.equal(typeof closeDelay_ms(stateOf([1], { clock: 45 }), 5), 'number');
  assert.equal(typeof closeDelay_ms(stateOf([]), 5), 'number');
});

test('a shared screen shows long rows longer, and hurries when the next doubt is waiting', () => {
  const state = stateOf([], {}, { shared: true });
  const short = closeDelay_ms(state, 2);
  const long = closeDelay_ms(state, 12);
  assert.ok(short !== null && long !== null && short < long);
  assert.equal(isDoubtWaiting(state), false);
  state.waiting.push(message(11, [PLACED]), message(12, [DOUBTED]));
  assert.equal(isDoubtWaiting(state), true);
  const hurried = closeDelay_ms(state, 12);
  assert.ok(hurried !== null && hurried < short);
});

test('the first card of a round lies alone for a while before anybody else moves', () => {
  const state = { held: [0], dealt_ms: 5000, waiting: [message(11, [PLACED])] };
  const theirs = { ...state, waiting: state.waiting.map((each) => ({ ...each, event: { ...each.event, seat: 1 } })) };
  assert.equal(dealtAlone_ms(theirs, 5200), 1000);
  assert.equal(dealtAlone_ms(theirs, 9000), 0);
  assert.equal(dealtAlone_ms({ ...theirs, held: [0, 1] }, 5200), 0);
  assert.equal(dealtAlone_ms({ ...state, waiting: [] }, 5200), 0);
});
