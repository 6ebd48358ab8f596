// The keys of the table. They do nothing while somebody types or a dialog is open; letters can be switched off.
import { compare, look } from '../dialogs/zoom.js';
import { $, $$, closest } from '../shared/dom.js';
import { gapByKey } from '../shared/gaps.js';
import { setting } from '../shared/settings.js';
import { choose, place, takeBack } from './placing.js';
import { legalGaps } from './state.js';

/** @typedef {import('./state.js').TableState} TableState */
/** @typedef {Record<string, () => unknown>} Letters */

/**
 * What a key does.
 * @typedef {{ do: 'nothing' } | { do: 'cancel' } | { do: 'place' } | { do: 'choose', gap: number }
 *         | { do: 'letter', letter: string }} KeyMeaning
 */

/**
 * @param {TableState} state
 * @param {{ key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean }} event
 * @param {{ letters: readonly string[], onControl: boolean }} where the letters in use, and whether the focus is on
 *   something that Enter presses; on the chosen gap it places
 * @returns {KeyMeaning}
 */
export function meaning(state, { key, ctrlKey, metaKey, altKey }, { letters, onControl }) {
  if (ctrlKey || metaKey || altKey) return { do: 'nothing' };
  if (key === 'Escape') return { do: 'cancel' };
  const letter = key.toLowerCase();
  if (letters.includes(letter)) return { do: 'letter', letter };
  const gap = gapByKey(legalGaps(state), state.chosenGap, key);
  if (gap !== null) return { do: 'choose', gap };
  if (key === 'Enter' && state.chosenGap !== null && !onControl) return { do: 'place' };
  return { do: 'nothing' };
}

/**
 * @param {TableState} state
 * @param {Letters} letters what each letter does
 */
export function bindKeys(state, letters) {
  /** @type {Letters} */
  const allLetters = { ...letters, n: () => lookAtNext(state) };
  document.addEventListener('keydown', (event) => {
    if ($('dialog[open]') || closest(event, 'input, select, textarea')) return;
    const found = meaning(state, event, {
      letters: Object.keys(allLetters),
      onControl: closest(event, 'button:not(.gap.chosen), a, summary') !== null,
    });
    if (walkAlongRow(event) || found.do === 'nothing') return;
    if (found.do === 'letter' && setting('keys') !== 'on') return;
    if (found.do === 'cancel') return cancel(state);
    event.preventDefault();
    if (found.do === 'letter') allLetters[found.letter]?.();
    else move(state, found, event);
  });
}

/**
 * @param {TableState} state
 * @param {Extract<KeyMeaning, { do: 'choose' | 'place' }>} found
 * @param {KeyboardEvent} event
 */
function move(state, found, { repeat }) {
  if (found.do === 'choose') choose(state, found.gap, { focus: true });
  else if (!repeat) place(state); // a key that is held down does not choose and place at once
}

/**
 * Ends what is under way: a drag, a comparison, a choice.
 * @param {TableState} state
 */
function cancel(state) {
  if (state.drag.cancel) state.drag.cancel();
  else if (state.comparing) compare(state, null);
  else takeBack(state);
}

/** @param {TableState} state */
function lookAtNext(state) {
  if (state.view.next_card) look(state, state.view.next_card);
}

/**
 * From a card of the row that has the focus, the arrows lead to its neighbours, Home and End to the ends. Like the gaps,
 * the cards are one stop of the Tab key (roving tabindex; WAI-ARIA Authoring Practices).
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key was for that
 */
function walkAlongRow(event) {
  const card = closest(event, '#row .look');
  const cards = $$('#row .look');
  const next = card && gapByKey([...cards.keys()], cards.indexOf(card), event.key);
  if (next === null || event.ctrlKey || event.metaKey || event.altKey) return false;
  event.preventDefault();
  for (const [at, each] of cards.entries()) each.tabIndex = at === next ? 0 : -1;
  cards[next]?.focus();
  return true;
}
