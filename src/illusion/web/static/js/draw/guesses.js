// My guess: while others think, a mark on the next card's bar. The reveal shows it beside the truth. It stays on the device
// until its card has been revealed.
import { $, closest, h, required } from '../shared/dom.js';
import { _, percent } from '../shared/texts.js';
import { mayGuess, mySeat } from '../table/state.js';

/** @typedef {import('../table/messages.js').Doubt} Doubt */
/** @typedef {import('../table/messages.js').View} View */
/** @typedef {import('../table/state.js').TableState} TableState */

export const MOST = 60; // percent: no card shows more of a colour
const HELD_AT = 20; // the slider's position before the first guess

/**
 * @param {string} colour its name
 */
export const guessSlider = (colour) =>
  h(
    'div',
    { class: 'guess-bar', hidden: true },
    h('span', { class: 'told' }, _('My guess'), h('output', { 'aria-hidden': 'true' })),
    h('input', {
      type: 'range',
      id: 'guess',
      min: 0,
      max: MOST,
      value: HELD_AT,
      'aria-label': _('My guess: how much %(colour)s is on the card?', { colour }),
    }),
  );

/**
 * Shows a guess on the slider, or that there is none yet.
 * @param {HTMLElement} bar
 * @param {number | null} guess
 */
export function showGuess(bar, guess) {
  const slider = required('input', HTMLInputElement, bar);
  const told = guess === null ? '–' : percent(guess);
  slider.value = String(guess ?? HELD_AT);
  slider.setAttribute('aria-valuetext', guess === null ? _('no guess yet') : told);
  required('output', HTMLOutputElement, bar).textContent = told;
  bar.classList.toggle('guessed', guess !== null);
  bar.style.setProperty('--guess', `${((guess ?? 0) / MOST) * 100}%`);
}

/**
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {View} view
 */
export function offerGuess(state, section, view) {
  const bar = $('.guess-bar', section);
  if (!bar) return;
  bar.hidden = !mayGuess(state, view);
  showGuess(bar, state.guesses.get(view.next_card ?? '') ?? null);
}

/** @param {TableState} state */
export function bindGuessing(state) {
  const take = (/** @type {Event} */ event) => {
    const slider = closest(event, '#guess');
    const card = state.view.next_card;
    if (!(slider instanceof HTMLInputElement) || card === null || !mayGuess(state)) return;
    state.guesses.set(card, slider.valueAsNumber);
    showGuess(required('.guess-bar', HTMLElement), slider.valueAsNumber);
    keepOpenGuesses(state.guesses);
  };
  document.addEventListener('input', take);
  document.addEventListener('click', take); // a press at the slider's position is a guess, too
}

/** Focuses the slider, if there is one. */
export const goToGuess = () => $('.guess-bar:not([hidden]) #guess')?.focus();

/**
 * Shows guesses in a revealed row, as a mark on the bar and in words, and stores them on the device.
 * @param {TableState} state
 * @param {Doubt} doubt
 */
export function showGuesses(state, { row }) {
  const seat = mySeat(state);
  if (seat === null) return;
  const guessed = row.flatMap(({ card, placed_by: by }, at) => {
    const guess = by === null || by === seat ? undefined : state.guesses.get(card);
    return guess === undefined ? [] : [{ card, at, guess }];
  });
  for (const { at, guess } of guessed) {
    const turned = required(`#reveal .turned[data-at="${at}"]`, HTMLElement);
    const mark = h('b', { class: 'guess-mark' });
    mark.style.left = `${guess}%`;
    required('.bar', HTMLElement, turned).append(mark);
    required('.share', HTMLElement, turned).append(
      ' ',
      h('i', { class: 'my-guess' }, _('you %(share)s', { share: percent(guess) })),
    );
  }
  if (guessed.length) keepGuesses(guessed.map(({ card, guess }) => [card, seat, guess]));
}

/**
 * A stored guess at a revealed card: the card's address, the seat, and the guess in percent.
 * @typedef {[card: string, seat: number, guess: number]} Guess
 */

const KEPT = 'guesses';
export const MOST_KEPT = 200; // the newest ones; the server takes no more

/**
 * @param {unknown} each
 * @returns {each is Guess}
 */
const isGuess = (each) =>
  Array.isArray(each) &&
  each.length === 3 &&
  typeof each[0] === 'string' &&
  Number.isInteger(each[1]) &&
  Number.isInteger(each[2]) &&
  each[2] >= 0 &&
  each[2] <= MOST;

/** @returns {Guess[]} */
export function keptGuesses() {
  try {
    const read = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(read) ? read.filter(isGuess) : [];
  } catch {
    return []; // no storage
  }
}

/** @param {readonly Guess[]} guesses at revealed cards */
export function keepGuesses(guesses) {
  const isNew = (/** @type {Guess} */ [card]) => !guesses.some((guess) => guess[0] === card);
  write(localStorage, [...keptGuesses().filter(isNew), ...guesses].slice(-MOST_KEPT));
}

/** Guesses at cards that have not been revealed; they last as long as the tab. */
export function openGuesses() {
  try {
    return new Map(/** @type {[string, number][]} */ (JSON.parse(sessionStorage.getItem(KEPT) ?? '[]')));
  } catch {
    return new Map();
  }
}

/** @param {ReadonlyMap<string, number>} guesses */
export const keepOpenGuesses = (guesses) => write(sessionStorage, [...guesses]);

export function forgetGuesses() {
  write(localStorage, []);
}

/**
 * @param {Storage} storage
 * @param {unknown[]} guesses
 */
function write(storage, guesses) {
  try {
    storage.setItem(KEPT, JSON.stringify(guesses));
  } catch {
    // They are shown at the table all the same.
  }
}
