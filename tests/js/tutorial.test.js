import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  chooseGap,
  createTutorial,
  doubt,
  goTo,
  isAsking,
  layCard,
  openGaps,
} from '../../src/illusion/web/static/js/draw/lessons.js';

const LESSONS = { fallsByGap: [1, null, 2], doubtedFall: 2 }; // the second gap is right

test('a card is chosen, then laid, and the server has said how that ends', () => {
  const state = createTutorial(LESSONS);
  assert.equal(layCard(state), null);
  assert.deepEqual(openGaps(state), [0, 1, 2]);
  assert.equal(chooseGap(state, 3), false);
  assert.equal(chooseGap(state, 1), true);
  assert.deepEqual(layCard(state), { gap: 1, fall: null, rightGap: 1 });
  assert.equal(isAsking(state, 'place'), false);
  assert.deepEqual(openGaps(state), []);
  assert.equal(chooseGap(state, 1), false);
});

test('a wrong gap: where the row falls, and where the card belonged', () => {
  const state = createTutorial(LESSONS);
  chooseGap(state, 2);
  assert.deepEqual(layCard(state), { gap: 2, fall: 2, rightGap: 1 });
});

test('the row can be doubted once, in its step', () => {
  const state = createTutorial(LESSONS);
  assert.equal(doubt(state), false);
  goTo(state, 'doubt');
  assert.equal(doubt(state), true);
  assert.equal(doubt(state), false);
});

test('going back to the first step asks again', () => {
  const state = createTutorial(LESSONS);
  chooseGap(state, 0);
  layCard(state);
  goTo(state, 'won');
  goTo(state, 'place');
  assert.equal(isAsking(state, 'place'), true);
  assert.equal(state.chosenGap, null);
});
