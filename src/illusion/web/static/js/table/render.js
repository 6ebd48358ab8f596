// Renders the table. The server's view is the same for everybody; what differs on this device is added here, from the state.
import { offerGuess, openGuesses } from '../draw/guesses.js';
import { celebrate, lookBack } from '../draw/over.js';
import { prepareFaces } from '../draw/players.js';
import { drawTable } from '../draw/table.js';
import { isSlow, nameOf } from '../draw/words.js';
import { $, $$, arrow, badge, h, required, wait } from '../shared/dom.js';
import { prepare } from '../shared/pictures.js';
import { firstGame, reducedMotion } from '../shared/settings.js';
import { _, names } from '../shared/texts.js';
import { showFaces, teach } from './bubbles.js';
import { bindLayout, glide, layOut } from './layout.js';
import { readPage } from './messages.js';
import { renderChoice } from './placing.js';
import { play } from './sound.js';
import {
  createState,
  elapsed_s,
  isAway,
  isHost,
  isMe,
  isMyTurn,
  legalGaps,
  mayDoubt,
  mySeat,
  takeView,
} from './state.js';

/** @typedef {import('./state.js').TableState} TableState */
/** @typedef {import('./messages.js').View} View */

const CURTAIN_MS = 1100;
const CLOSED_MS = 275; // until nothing is seen behind it; the cards are dealt when it opens again
const DEAL_MS = 450;

/** The part of the page that each new view replaces. */
const currentSection = () => required('#state', HTMLElement);

/**
 * Creates the state of a page that has just been loaded, and renders it.
 * @param {{ shared?: boolean }} [options]
 * @returns {TableState}
 */
export function start(options) {
  const state = createState(readPage(), { ...options, known: firstGame() ?? { told: [], turns: 0 } });
  state.guesses = openGuesses();
  const section = drawTable(state.view, mySeat(state));
  personalize(state, section, state.view);
  currentSection().replaceWith(section);
  layOut();
  bindLayout();
  bindTitle(state);
  settle(state);
  prepareFaces(state.view);
  return state;
}

/**
 * Loads all pictures of a view, so that it can be shown at once.
 * @param {View} view
 */
export const prepareCards = (view) => prepare([...view.row, ...(view.next_card ? [view.next_card] : [])]);

/**
 * Shows a newer view, once its pictures are loaded; cards glide to their new places.
 * @param {TableState} state
 * @param {View} view
 * @param {string | null} placedCard a card that has just been placed
 */
export async function replace(state, view, placedCard) {
  if (haveSeatsMoved(state, view)) return location.reload();
  if (view.phase === 'over' && state.view.phase === 'over') return keepEnd(state, view);
  await prepareCards(view);
  const section = drawTable(view, mySeat(state));
  personalize(state, section, view);
  const { round, phase } = state.view;
  if (view.phase === 'playing' && view.round !== round && raiseCurtain(view)) {
    section.classList.add('dealt');
    await wait(CLOSED_MS);
    state.dealt_ms = Date.now() + CURTAIN_MS - CLOSED_MS + DEAL_MS;
  }
  glide(() => swap(state, section, view));
  settle(state);
  if (phase === 'waiting') prepareFaces(view);
  if (placedCard) play(state, 'laid');
  if (view.phase === 'over' && phase !== 'over') celebrate(state);
}

/**
 * The end stays as it is while somebody looks at it; what came after is told beside it.
 * @param {TableState} state
 * @param {View} view
 */
function keepEnd(state, view) {
  takeView(state, view);
  currentSection().dataset.seq = String(view.seq);
  required('#table', HTMLElement).dispatchEvent(new Event('settled'));
}

/**
 * Adds what differs on this device.
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {View} view
 */
function personalize(state, section, view) {
  const myTurn = isMyTurn(state, view);
  const several = state.held.length > 1;
  const gaps = legalGaps(state, view);
  section.classList.toggle('mine', myTurn);
  section.classList.toggle('handed', myTurn && several);
  section.classList.toggle('hosting', isHost(state, view));
  section.classList.toggle('seated', state.held.length > 0);
  for (const seat of $$('[data-seat]', section)) seat.classList.toggle('me', isMe(state, Number(seat.dataset.seat)));
  for (const gap of $$('.gap', section)) setDisabled(gap, !gaps.includes(Number(gap.dataset.gap)));
  $(`.gap[data-gap="${gaps[0]}"]`, section)?.setAttribute('tabindex', '0');
  for (const doubt of $$('.doubt', section)) setDisabled(doubt, !mayDoubt(state, view));
  for (const fill of $$('.fill', section)) setDisabled(fill, !state.held.length);
  const heading = $('.turn', section);
  if (heading && myTurn) heading.textContent = (several ? heading.dataset.handed : heading.dataset.yours) ?? '';
  offerGuess(state, section, view);
  teach(state, section, view);
  showFaces(state, section);
  startClock(state, section, view);
}

/**
 * Starts the clock's bar with what is left of the turn.
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {View} view
 */
function startClock(state, section, view) {
  const clock = $('.clock', section);
  if (!clock || view.clock === null) return;
  clock.style.setProperty('--turn-time', `${view.clock}s`);
  clock.style.setProperty('--spent', `${-elapsed_s(state, view, Date.now())}s`);
}

/**
 * Replaces the section; keeps focus, choices, and images that are on the page.
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {View} view
 */
function swap(state, section, view) {
  const old = currentSection();
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const isOpen = $('#arrange')?.hasAttribute('open') ?? false;
  state.drag.cancel?.();
  takeView(state, view);
  old.replaceWith(section);
  $('#arrange')?.toggleAttribute('open', isOpen);
  renderChoice(state);
  if (focus instanceof HTMLElement) counterpart(focus)?.focus({ preventScroll: true });
}

/**
 * Updates what depends on the state outside of the section.
 * @param {TableState} state
 */
function settle(state) {
  const waiting = state.view.phase === 'waiting';
  document.body.classList.toggle('playing-now', !waiting);
  document.body.classList.toggle('in-play', state.view.phase === 'playing');
  document.body.dataset.arrow = state.view.arrow ?? '';
  if (!waiting) required('#main', HTMLElement).classList.remove('with-invite');
  if (state.view.phase === 'over') lookBack(state);
  const lastRow = $('.last-row');
  if (lastRow) lastRow.hidden = !state.view.last_doubt;
  const comeBack = $('#back');
  if (comeBack) comeBack.hidden = !isAway(state);
  required('#table', HTMLElement).dispatchEvent(new Event('settled'));
}

/**
 * Announces our turn in the page's title and by a sound; after a reveal, once it is closed.
 * @param {TableState} state
 */
function bindTitle(state) {
  const { title } = document;
  const reveal = required('#reveal', HTMLDialogElement);
  const announce = () => {
    const myTurn = isMyTurn(state);
    if (isSlow(state.view)) badge(myTurn ? 1 : 0);
    document.title = myTurn ? `${_('Your turn')} · ${title}` : title;
    if (reveal.open) return;
    if (myTurn && !state.wasMyTurn) play(state, 'turn');
    state.wasMyTurn = myTurn;
  };
  required('#table', HTMLElement).addEventListener('settled', announce);
  reveal.addEventListener('close', announce);
}

/**
 * The element of the new section that gets the focus; by default the heading that says whose turn it is.
 * @param {HTMLElement} old
 */
function counterpart(old) {
  const { gap, look } = old.dataset;
  let same = null;
  if (old.id) same = document.getElementById(old.id);
  else if (gap) same = $(`.gap:enabled[data-gap="${gap}"]`);
  else if (look) same = $(`#row [data-look="${look}"]`);
  const heading = $('.turn', currentSection()) ?? $('h1', currentSection());
  return same && !same.matches(':disabled, [hidden] *') ? same : heading;
}

/**
 * Whether our seats got other numbers, as the deal may do: then the page is reloaded, since the server knows our seats. Seats
 * are compared by name, which is unique at a table.
 * @param {TableState} state
 * @param {View} next
 */
function haveSeatsMoved({ view, held, shared }, next) {
  if (view.phase !== 'waiting' || next.phase === 'waiting') return false;
  if (!held.length && !shared) return true; // somebody who came late is offered a seat
  return held.some((seat) => nameOf(view, seat) !== nameOf(next, seat));
}

/**
 * @param {HTMLElement} button
 * @param {boolean} disabled
 */
function setDisabled(button, disabled) {
  if (button instanceof HTMLButtonElement) button.disabled = disabled;
}

/**
 * Shows, large and for a moment, the number of the new round and its colour.
 * @param {View} view
 * @returns {boolean} whether there is a curtain
 */
function raiseCurtain(view) {
  if (!view.arrow || reducedMotion() || document.visibilityState !== 'visible') return false;
  const curtain = h(
    'div',
    { class: 'curtain', 'data-arrow': view.arrow, 'aria-hidden': 'true' },
    arrow(view.arrow),
    h('span', {}, _('Round %(round)s', { round: view.round })),
    h('b', {}, names().colours[view.arrow]),
  );
  document.body.append(curtain);
  setTimeout(() => curtain.remove(), CURTAIN_MS);
  return true;
}
