// Placing a card: a gap is chosen first, which shows the card between its would-be neighbours, and can be taken back; then
// the card is placed. And doubting the row.
import { arrowCard, cardImage } from '../draw/cards.js';
import { h } from '../draw/elements.js';
import { $, $$, the } from '../shared/dom.js';
import { bindDragging } from '../shared/dragging.js';
import { gapByKey } from '../shared/gaps.js';
import { _ } from '../shared/texts.js';
import { glide, layOut } from './layout.js';
import { ask, toast } from './notices.js';
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

/**
 * The gap to the left or to the right of the chosen one.
 * @param {TableState} state
 * @param {'ArrowLeft' | 'ArrowRight'} key
 */
export function step(state, key) {
  const gap = gapByKey(legalGaps(state), state.chosenGap, key);
  if (gap !== null) choose(state, gap);
}

/** @param {TableState} state */
export function takeBack(state) {
  if (state.sending) return;
  state.chosenGap = null;
  renderChoice(state);
}

/** @param {TableState} state */
export function place(state) {
  if (state.chosenGap !== null) sendMove(state, { move: 'place', gap: state.chosenGap });
}

/** @param {TableState} state */
export function askDoubt(state) {
  if (mayDoubt(state)) ask('ask-doubt', () => doubt(state));
}

/** @param {TableState} state */
export function doubt(state) {
  if (mayDoubt(state)) sendMove(state, { move: 'doubt' });
}

/**
 * Shows the chosen gap, and the next card between the two cards that lie there; or neither.
 * @param {TableState} state
 */
export function renderChoice(state) {
  const { chosenGap: gap, view, sending } = state;
  const section = $('#state');
  if (!section) return;
  const isWide = gap !== null && !document.body.classList.contains('dragging'); // nothing moves under a finger
  if (section.classList.contains('choosing') !== isWide) glide(() => section.classList.toggle('choosing', isWide));
  section.classList.toggle('sending', sending);
  for (const each of $$('.gap', section)) markGap(each, gap);
  for (const twin of $$('.twin', section)) twin.classList.toggle('chosen', Number(twin.dataset.twin) === gap);
  const confirm = $('.confirm', section);
  if (confirm) confirm.hidden = gap === null;
  for (const side of $$('.neighbour', section)) {
    side.hidden = gap === null;
    const at = (gap ?? 0) - (side.dataset.side === 'left' ? 1 : 0);
    side.replaceChildren(...(gap === null ? [] : [neighbour(view, at)]));
  }
  layOut();
}

/**
 * Of the gaps, only the chosen one can be reached by the Tab key; the arrows lead to the others.
 * @param {HTMLElement} button
 * @param {number | null} chosen
 */
function markGap(button, chosen) {
  const isChosen = Number(button.dataset.gap) === chosen;
  button.classList.toggle('chosen', isChosen);
  if (isChosen) button.setAttribute('aria-pressed', 'true');
  else button.removeAttribute('aria-pressed');
  if (chosen !== null) button.tabIndex = isChosen ? 0 : -1;
}

/**
 * What would lie next to the new card: a card, the arrow, or nothing.
 * @param {import('../connection/messages.js').View} view
 * @param {number} at
 */
function neighbour({ row, arrow }, at) {
  const card = row[at];
  if (card) return cardImage(card, _('Card %(n)s of the row', { n: at + 1 }));
  return at < 0 && arrow ? arrowCard(arrow) : h('span', { class: 'no-card' }, _('most'));
}

/**
 * Dragging the next card to a gap chooses that gap; nothing is placed by letting go.
 * @param {TableState} state
 */
export function bindPlacing(state) {
  bindDragging(state.drag, {
    area: the('#table', HTMLElement),
    handle: '#next',
    pick: () => {
      const card = $('#next .card');
      const row = $('.board');
      if (!card || !row || state.sending) return null;
      const gaps = legalGaps(state).flatMap((gap) => gapButton(gap) ?? []);
      return gaps.length ? { card, gaps, row } : null;
    },
    onLift: () => takeBack(state),
    onOver: (gap) => {
      if (gap) choose(state, Number(gap.dataset.gap));
      else takeBack(state);
    },
    onDrop: (gap) => {
      if (gap) renderChoice(state);
      else takeBack(state);
    },
  });
}

/** @param {number} gap */
const gapButton = (gap) => $(`.gap[data-gap="${gap}"]`);

/**
 * A move that does not reach the table is not lost: the gap stays chosen.
 * @param {TableState} state
 * @param {Move} move
 */
async function sendMove(state, move) {
  const body = beginMove(state, move);
  if (!body || !state.socket) return;
  renderChoice(state);
  const { problem } = await state.socket.send(body);
  state.sending = false;
  renderChoice(state);
  // A stale move needs no words: the newer table is already on its way.
  if (problem && problem.code !== 'stale')
    toast(state, problem.detail || _('That did not reach the table. Try again.'));
}
