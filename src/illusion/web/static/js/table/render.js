// Puts the table on the page. The server sends everybody the same fragment; what is different for this device is added
// here, from the state.
import { $, $$, the } from '../shared/dom.js';
import { paint } from '../shared/pictures.js';
import { reducedMotion } from '../shared/settings.js';
import { startClock } from './clock.js';
import { readPage, readSnapshot } from './messages.js';
import { texts } from './notices.js';
import { renderChoice, scrollIntoMiddle } from './placing.js';
import { nameAt, showFaces } from './reactions.js';
import { chime } from './sound.js';
import { createState, isAway, isHost, isMe, isMyTurn, legalGaps, mayDoubt, takeSnapshot } from './state.js';

/** @typedef {import('./messages.js').Snapshot} Snapshot */
/** @typedef {import('./state.js').TableState} TableState */

/** The part of the page that every new fragment replaces. */
const currentSection = () => the('#state', HTMLElement);

/**
 * The state of a page that has just been loaded; the page is shown by it.
 * @param {{ shared?: boolean }} [options]
 * @returns {TableState}
 */
export function start(options) {
  const section = currentSection();
  const page = readPage(the('#table', HTMLElement).dataset);
  const state = createState(page, readSnapshot(section.dataset), options);
  dress(state, section, state.snapshot);
  settle(state);
  bindTitle(state);
  return state;
}

/**
 * Shows a newer fragment; cards move to their new places where the browser can do that.
 * @param {TableState} state
 * @param {string} html
 * @param {string | null} placedCard a card that has just been placed
 */
export async function replace(state, html, placedCard) {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const section = the('#state', HTMLElement, holder.content);
  const snapshot = readSnapshot(section.dataset);
  if (haveSeatsMoved(state, snapshot, section)) return location.reload();
  dress(state, section, snapshot);
  await withMotion(() => swap(state, section, snapshot));
  return settle(state, placedCard);
}

/**
 * Adds to a fragment what is different for this device.
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {Snapshot} snapshot
 */
function dress(state, section, snapshot) {
  const myTurn = isMyTurn(state, snapshot);
  const several = state.held.length > 1;
  const gaps = legalGaps(state, snapshot);
  section.classList.toggle('mine', myTurn);
  section.classList.toggle('handed', myTurn && several);
  section.classList.toggle('hosting', isHost(state, snapshot));
  section.classList.toggle('seated', state.held.length > 0);
  for (const seat of $$('[data-seat]', section)) seat.classList.toggle('me', isMe(state, Number(seat.dataset.seat)));
  for (const gap of $$('.gap', section)) setDisabled(gap, !gaps.includes(Number(gap.dataset.gap)));
  for (const doubt of $$('.doubt', section)) setDisabled(doubt, !mayDoubt(state, snapshot));
  for (const card of $$('.shown .turned', section)) card.classList.add('shows-back');
  const heading = $('.turn', section);
  if (heading && myTurn) heading.textContent = (several ? heading.dataset.handed : heading.dataset.yours) ?? '';
  paint(section);
  showFaces(state, section);
  startClock(state, section, snapshot);
}

/**
 * Puts a dressed fragment in place of the old one; focus, scrolling and choices stay.
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {Snapshot} snapshot
 */
function swap(state, section, snapshot) {
  const old = currentSection();
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = $('#scroller')?.scrollLeft ?? 0;
  const level = $('#level');
  const sameRound = state.snapshot.round === snapshot.round;
  state.drag.cancel?.();
  takeSnapshot(state, snapshot);
  old.replaceWith(section);
  const scroller = $('#scroller');
  if (scroller && sameRound) scroller.scrollLeft = scrolled;
  const newLevel = $('#level');
  if (level instanceof HTMLSelectElement && newLevel instanceof HTMLSelectElement) newLevel.value = level.value;
  renderChoice(state);
  if (focus instanceof HTMLElement) counterpart(focus)?.focus({ preventScroll: true });
}

/**
 * What depends on the state outside of the fragment.
 * @param {TableState} state
 * @param {string | null} [placedCard]
 */
function settle(state, placedCard = null) {
  const waiting = state.snapshot.phase === 'waiting';
  document.body.classList.toggle('playing-now', !waiting);
  if (!waiting) the('#main', HTMLElement).classList.remove('with-invite');
  const comeBack = $('#back');
  if (comeBack) comeBack.hidden = !isAway(state);
  const card = placedCard && $(`.row [data-look="${placedCard}"]`);
  if (card) {
    card.classList.add('fresh');
    scrollIntoMiddle(card);
  }
  the('#table', HTMLElement).dispatchEvent(new Event('settled'));
}

/**
 * Our turn is in the page's title, and is heard; during a reveal, only once that is closed.
 * @param {TableState} state
 */
function bindTitle(state) {
  const { title } = document;
  const reveal = the('#reveal', HTMLDialogElement);
  const announce = () => {
    const myTurn = isMyTurn(state);
    document.title = myTurn ? `${texts().title} · ${title}` : title;
    if (reveal.open) return;
    if (myTurn && !state.wasMyTurn) chime(state);
    state.wasMyTurn = myTurn;
  };
  the('#table', HTMLElement).addEventListener('settled', announce);
  reveal.addEventListener('close', announce);
  announce();
}

/**
 * The element of the new fragment that takes over the focus; if there is none, the heading that says whose turn it is.
 * @param {HTMLElement} old
 */
function counterpart(old) {
  const { gap, look } = old.dataset;
  let same = null;
  if (old.id) same = document.getElementById(old.id);
  else if (gap) same = $(`.gap:enabled[data-gap="${gap}"]`);
  else if (look) same = $(`.row [data-look="${look}"]`);
  return same && !same.matches(':disabled') ? same : $('.turn, h1', currentSection());
}

/**
 * When the cards are dealt, free chairs are taken away and seats may get other numbers: then the page is loaded again, as
 * the server knows which seats are ours. Names at a table are all different.
 * @param {TableState} state
 * @param {Snapshot} next
 * @param {HTMLElement} section
 */
function haveSeatsMoved(state, next, section) {
  if (state.snapshot.phase !== 'waiting' || next.phase === 'waiting') return false;
  return state.held.some((seat) => nameAt(seat, currentSection()) !== nameAt(seat, section));
}

/**
 * Makes a change as a view transition, where one can be seen.
 * @param {() => void} change
 */
async function withMotion(change) {
  const hidden = document.visibilityState !== 'visible' || $('dialog[open]') !== null;
  if (!('startViewTransition' in document) || reducedMotion() || hidden) return change();
  nameCards(true);
  const transition = document.startViewTransition(() => {
    change();
    nameCards(true);
  });
  transition.ready.catch(() => {}); // it was skipped
  await transition.updateCallbackDone;
  transition.finished.finally(() => nameCards(false));
}

/**
 * Names the cards that move. A card that is partly scrolled out of sight would move outside of the row, so it does not.
 * @param {boolean} on
 */
function nameCards(on) {
  const frame = $('#scroller')?.getBoundingClientRect();
  for (const card of $$('[data-card]', the('#table', HTMLElement))) {
    const { left, right } = card.getBoundingClientRect();
    const inRow = card.closest('.row') !== null;
    const inSight = frame && (!inRow || (left >= frame.left && right <= frame.right));
    const moves = on && inSight && !card.matches('.lifted');
    card.style.viewTransitionName = moves ? `card-${card.dataset.card}` : '';
  }
}

/**
 * @param {HTMLElement} button
 * @param {boolean} disabled
 */
function setDisabled(button, disabled) {
  if (button instanceof HTMLButtonElement) button.disabled = disabled;
}
