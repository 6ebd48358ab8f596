// Placing a card: a gap is chosen first and can be taken back; then the card is placed. And doubting the row.
import { $, the } from '../shared/dom.js';
import { bindDragging } from '../shared/dragging.js';
import { clearChoice, showChoice } from '../shared/gaps.js';
import { reducedMotion } from '../shared/settings.js';
import { ask } from './notices.js';
import { send } from './requests.js';
import { beginMove, chooseGap, legalGaps, mayDoubt } from './state.js';

/** @typedef {import('./state.js').Move} Move */
/** @typedef {import('./state.js').TableState} TableState */

/**
 * @param {TableState} state
 * @param {number} gap
 * @param {{ focus?: boolean }} [options]
 */
export function choose(state, gap, { focus = false } = {}) {
  if (!chooseGap(state, gap)) return;
  renderChoice(state);
  if (focus) gapButton(gap)?.focus({ preventScroll: true });
}

/** @param {TableState} state */
export function takeBack(state) {
  state.chosenGap = null;
  renderChoice(state);
}

/** @param {TableState} state */
export function place(state) {
  if (state.chosenGap !== null) sendMove(state, { move: 'place', gap: state.chosenGap });
}

/** @param {TableState} state */
export function askDoubt(state) {
  if (mayDoubt(state)) ask('ask-doubt', () => sendMove(state, { move: 'doubt' }));
}

/**
 * Shows the chosen gap with the card in it, or none.
 * @param {TableState} state
 */
export function renderChoice({ chosenGap }) {
  const table = the('#table', HTMLElement);
  const button = chosenGap === null ? null : gapButton(chosenGap);
  const card = $('#next .card');
  const confirm = $('.confirm');
  clearChoice(table);
  if (confirm) confirm.hidden = !button;
  if (!button || !card) return;
  showChoice(button, card);
  scrollIntoMiddle(button);
}

/**
 * Scrolls the row so that a part of it is in the middle.
 * @param {HTMLElement} element
 */
export function scrollIntoMiddle(element) {
  const scroller = $('#scroller');
  if (!scroller) return;
  const box = element.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  const left = scroller.scrollLeft + box.left + box.width / 2 - view.left - view.width / 2;
  scroller.scrollTo({ left, behavior: reducedMotion() ? 'auto' : 'smooth' });
}

/**
 * Dragging the next card to a gap. A mouse places it there; a finger is less sure, so it only chooses the gap.
 * @param {TableState} state
 */
export function bindPlacing(state) {
  bindDragging(state.drag, {
    area: the('#table', HTMLElement),
    handle: '#next',
    pick: () => {
      const card = $('#next .card');
      const row = $('#scroller');
      if (!card || !row || state.sending) return null;
      const gaps = legalGaps(state).flatMap((gap) => gapButton(gap) ?? []);
      return gaps.length ? { card, gaps, row } : null;
    },
    onLift: () => takeBack(state),
    onDrop: (gap) => {
      choose(state, Number(gap.dataset.gap));
      if (state.drag.pointer === 'mouse') place(state);
    },
  });
}

/**
 * A gap was pressed: the first press chooses it, the second one places the card. A second tap does not, as it is easily
 * made by mistake: there the button "Place here" does.
 * @param {TableState} state
 * @param {number} gap
 * @param {{ byKeyboard: boolean }} how
 */
export function pressGap(state, gap, { byKeyboard }) {
  if (state.chosenGap !== gap) choose(state, gap);
  else if (byKeyboard || state.drag.pointer === 'mouse') place(state);
}

/** @param {number} gap */
const gapButton = (gap) => $(`.gap[data-gap="${gap}"]`);

/**
 * @param {TableState} state
 * @param {Move} move
 */
async function sendMove(state, move) {
  const body = beginMove(state, move);
  if (!body) return;
  if (!(await send(state, 'POST', 'moves', body))) takeBack(state);
  state.sending = false;
}
