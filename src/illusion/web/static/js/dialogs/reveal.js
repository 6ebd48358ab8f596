// The reveal: a row turned over, card by card.
import { $, $$, closest, the, wait } from '../shared/dom.js';
import { reducedMotion } from '../shared/settings.js';
import { texts } from '../table/notices.js';

/** @typedef {import('../table/state.js').TableState} TableState */

const BEFORE_MS = 700;
const CARD_MS = 520;
const FALL_MS = 1100;
const COUNT_MS = 420;

const dialog = () => the('#reveal', HTMLDialogElement);
const turnAllButton = () => $('[data-do=turn-all]', dialog()); // a shared screen has no buttons
const goOnButton = () => $('[data-do=go-on]', dialog());

export const isReading = () => dialog().open;

/**
 * Shows the last row. The dialog is open as soon as this has been called; the promise ends when all cards are turned.
 * @param {TableState} state
 * @param {{ animated: boolean }} options
 */
export async function turnOver(state, { animated }) {
  const source = $('.last-row');
  if (!(source instanceof HTMLTemplateElement) || isReading()) return;
  const content = the('.content', HTMLElement, dialog());
  content.replaceChildren(source.content.cloneNode(true));
  const cards = $$('.turned', content);
  const verdict = the('.verdict', HTMLElement, content);
  state.revealing = animated && !reducedMotion();
  if (state.revealing) {
    for (const card of cards) card.classList.add('veiled');
    verdict.classList.add('waits');
  }
  setButtons({ done: false });
  closeOthers();
  dialog().showModal();
  goOnButton()?.focus();
  await pause(state, BEFORE_MS);
  for (const card of cards) await turnCard(state, card);
  verdict.classList.remove('waits');
  setButtons({ done: true });
  dialog().dispatchEvent(new Event('shown'));
  if (state.revealing) verdict.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  state.revealing = false;
}

/**
 * The first press skips the rest, the next one closes.
 * @param {TableState} state
 */
export function goOn(state) {
  if (state.revealing) state.revealing = false;
  else dialog().close();
}

/** Shows all pictures, or all numbers. */
export function turnAll() {
  const button = turnAllButton();
  if (!button) return;
  const { pictures, numbers } = texts();
  const showBacks = button.textContent === numbers;
  button.textContent = showBacks ? pictures : numbers;
  for (const card of $$('.turned', dialog())) card.classList.toggle('shows-back', showBacks);
}

/** @param {TableState} state */
export function bindReveal(state) {
  dialog().addEventListener('cancel', (event) => {
    if (!state.revealing) return;
    event.preventDefault();
    state.revealing = false;
  });
  dialog().addEventListener('close', () => {
    state.revealing = false;
    const lostFocus = !document.activeElement || document.activeElement === document.body;
    if (lostFocus) $('#state .turn')?.focus({ preventScroll: true });
  });
  dialog().addEventListener('click', (event) => {
    const card = closest(event, '[data-turn]')?.closest('.turned');
    if (card && !state.revealing) card.classList.toggle('shows-back');
  });
}

/**
 * @param {TableState} state
 * @param {HTMLElement} card
 */
async function turnCard(state, card) {
  card.classList.add('shows-back');
  card.classList.remove('veiled');
  if (!state.revealing) return;
  card.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  count(state, the('.figure', HTMLElement, card));
  await pause(state, card.classList.contains('fall') ? FALL_MS : CARD_MS);
}

/**
 * Counts a figure up to its share.
 * @param {TableState} state
 * @param {HTMLElement} figure
 */
function count(state, figure) {
  const share = Number(figure.dataset.share);
  const began = performance.now();
  const step = (/** @type {number} */ now) => {
    const part = state.revealing ? Math.max(0, Math.min(1, (now - began) / COUNT_MS)) : 1;
    figure.textContent = String(Math.round(share * part));
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/**
 * Waits, unless the rest is skipped.
 * @param {TableState} state
 * @param {number} ms
 */
async function pause(state, ms) {
  for (let spent = 0; spent < ms && state.revealing; spent += 40) await wait(40);
}

/** @param {{ done: boolean }} state */
function setButtons({ done }) {
  const [all, on] = [turnAllButton(), goOnButton()];
  if (!all || !on) return;
  all.hidden = !done;
  all.textContent = texts().pictures;
  on.textContent = done ? texts().goOn : texts().skip;
}

/** The reveal is shown alone; only the settings may stay open. */
function closeOthers() {
  for (const other of $$('.zoom[open], .ask[open]:not(.settings)')) {
    if (other instanceof HTMLDialogElement) other.close();
  }
}
