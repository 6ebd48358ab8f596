// Placing a card: choosing a gap shows the card between its would-be neighbours, and can be undone; then the card is placed.
// And doubting the row.
import { $, $$, arrow, closest, h, required } from '../shared/dom.js';
import { bindDragging, gapByKey } from '../shared/gaps.js';
import { cardImage } from '../shared/pictures.js';
import { setting } from '../shared/settings.js';
import { _, names } from '../shared/texts.js';
import { glide, layOut } from './layout.js';
import { compare, look } from './looking.js';
import { ask, toast } from './notices.js';
import { onWideChange, openRow, opensAtGap, showLens } from './opening.js';
import { beginMove, chooseGap, legalGaps, mayDoubt } from './state.js';

/** @typedef {import('./messages.js').Colour} Colour */
/** @typedef {import('./state.js').Move} Move */
/** @typedef {import('./state.js').TableState} TableState */

/**
 * @param {TableState} state
 * @param {number} gap
 * @param {{ focus?: boolean, atLineEnd?: boolean }} [options] where a line breaks, the gap is at the end of one line and at
 *   the beginning of the next one
 */
export function choose(state, gap, { focus = false, atLineEnd = false } = {}) {
  if (!chooseGap(state, gap)) return;
  state.atLineEnd = atLineEnd;
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
 * Shows the chosen gap, and the next card between its two neighbours: on wide screens in the row, on others beside it, and
 * in both places if the row's cards are small.
 * @param {TableState} state
 */
export function renderChoice(state) {
  const { chosenGap: gap, view, sending, atLineEnd } = state;
  const section = $('#state');
  if (!section) return;
  const isChosen = gap !== null && !document.body.classList.contains('dragging'); // nothing moves under a finger
  const isOpen = isChosen && opensAtGap();
  const isBeside = isChosen && !isOpen;
  if (section.classList.contains('choosing') !== isBeside) glide(() => section.classList.toggle('choosing', isBeside));
  section.classList.toggle('open', isOpen);
  section.classList.toggle('sending', sending);
  for (const each of $$('.gap', section)) markGap(each, gap);
  for (const twin of $$('.twin', section)) twin.classList.toggle('chosen', Number(twin.dataset.twin) === gap);
  const confirm = $('.confirm', section);
  if (confirm) confirm.hidden = gap === null;
  showNeighbours(section, view, gap);
  layOut();
  openRow({ gap: isOpen ? gap : null, atLineEnd, card: view.next_card });
  showLens(section, gap !== null && opensAtGap());
}

/**
 * @param {HTMLElement} section
 * @param {import('./messages.js').View} view
 * @param {number | null} gap
 */
function showNeighbours(section, view, gap) {
  for (const side of $$('.neighbour', section)) {
    side.hidden = gap === null;
    const at = (gap ?? 0) - (side.dataset.side === 'left' ? 1 : 0);
    side.replaceChildren(...(gap === null ? [] : [neighbour(view, at)]));
  }
}

/**
 * Makes the chosen gap the only one in the tab order (roving tabindex); arrow keys lead to the others.
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
 * The neighbour of a card in the gap: a card, the arrow, or nothing.
 * @param {import('./messages.js').View} view
 * @param {number} at
 */
function neighbour({ row, arrow }, at) {
  const card = row[at];
  if (card) return cardImage(card, _('Card %(n)s of the row', { n: at + 1 }));
  return at < 0 && arrow ? arrowCard(arrow) : h('span', { class: 'no-card' }, _('most'));
}

/** @param {Colour} colour */
const arrowCard = (colour) =>
  h(
    'div',
    { class: 'arrow-card' },
    arrow(colour),
    h('b', {}, names().colours[colour]),
    h('small', {}, `${_('least')} → ${_('most')}`),
  );

/**
 * Dragging the next card to a gap chooses the gap; letting go places nothing.
 * @param {TableState} state
 */
export function bindPlacing(state) {
  onWideChange(() => renderChoice(state));
  bindDragging(state.drag, {
    area: required('#table', HTMLElement),
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
 * Sends a move; if it fails, the gap stays chosen.
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
  // No words for a stale move: the newer view is on its way.
  if (problem && problem.code !== 'stale')
    toast(state, problem.detail || _('That did not reach the table. Try again.'));
}

// Doubting without a question, by holding the button down while it fills. A plain press or a key asks.

const HOLD_MS = 500; // as long as it fills in table.css
const TICK_MS = 25;

/** @param {TableState} state */
export function bindHolding(state) {
  const area = required('#table', HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let hasDoubted = false;
  /** @type {HTMLElement | null} */
  let button = null;

  const letGo = () => {
    clearTimeout(timer);
    button?.classList.remove('filling');
    button = null;
  };
  area.addEventListener('pointerdown', (event) => {
    letGo();
    hasDoubted = false;
    const pressed = closest(event, '#doubt:enabled');
    if (!pressed || event.button !== 0) return;
    button = pressed;
    button.classList.add('filling');
    timer = setTimeout(() => {
      hasDoubted = true;
      letGo();
      navigator.vibrate?.(TICK_MS);
      doubt(state);
    }, HOLD_MS);
  });
  area.addEventListener('pointermove', (event) => {
    if (button && document.elementFromPoint(event.clientX, event.clientY) !== button) letGo();
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) area.addEventListener(end, letGo);
  area.addEventListener('contextmenu', (event) => {
    if (closest(event, '#doubt')) event.preventDefault();
  });
  area.addEventListener(
    'click',
    (event) => {
      if (hasDoubted && closest(event, '#doubt')) event.stopPropagation(); // holding has doubted already
    },
    true,
  );
}

// Keyboard shortcuts, except while somebody types or a dialog is open; letters can be switched off.

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
  else if (!repeat) place(state); // key repeat must not place what the first press chose
}

/**
 * Cancels a drag, a comparison or a choice.
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
 * Arrow keys, Home and End move the focus along the row. Its cards are one stop of the Tab key, as the gaps are (roving
 * tabindex; WAI-ARIA Authoring Practices).
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
