// Following the table: messages are shown one after another, and wait while a row is turned over.

import { send } from '../connection/requests.js';
import { Socket } from '../connection/socket.js';
import { isReading, turnOver } from '../dialogs/reveal.js';
import { inWords } from '../draw/words.js';
import { speak } from '../effects/bot-lines.js';
import { showReaction } from '../effects/reactions.js';
import { the, wait } from '../shared/dom.js';
import { takePictures } from '../shared/pictures.js';
import { _ } from '../shared/texts.js';
import { tableSocket } from '../shared/urls.js';
import { say, sayLines } from './live-region.js';
import { banner } from './notices.js';
import { prepareCards, replace } from './render.js';
import { isDoubtWaiting, takeMessage } from './state.js';

/** @typedef {import('../connection/messages.js').TableMessage} TableMessage */
/** @typedef {import('./state.js').TableState} TableState */

const LOST_AFTER_MS = 2500; // a shorter interruption is not announced
const BACK_SHOWN_MS = 3000;
const GO_ON_MS = 12_000; // how long a reveal stays open that nobody touches
const SHARED_GO_ON_MS = 5000;
const SHARED_GO_ON_PER_CARD_MS = 300;
const HURRY_MS = 2000;

/** @param {TableState} state */
export function follow(state) {
  const reveal = the('#reveal', HTMLDialogElement);
  reveal.addEventListener('close', () => {
    clearTimeout(state.timers.goOn);
    showWaiting(state);
  });
  for (const touch of ['pointerdown', 'keydown']) {
    reveal.addEventListener(touch, () => {
      if (!state.shared) clearTimeout(state.timers.goOn);
    });
  }
  state.socket = new Socket({
    address: () => tableSocket(state.table, Math.max(state.lastEvent, state.view.seq)),
    onMessage: (message) => {
      if (message.pictures) takePictures(message.pictures);
      state.waiting.push(message);
      showWaiting(state);
    },
    onReaction: (reaction) => showReaction(state, reaction),
    onConnected: () => onConnected(state),
    onLost: () => {
      state.timers.lost ??= setTimeout(() => onLost(state), LOST_AFTER_MS);
    },
  });
}

/** @param {TableState} state */
function onLost(state) {
  if (!state.lost) announce(state, _('No connection. Trying again…'));
  state.lost = true;
}

/** @param {TableState} state */
function onConnected(state) {
  clearTimeout(state.timers.lost);
  delete state.timers.lost;
  if (!state.lost) return;
  state.lost = false;
  announce(state, _('Connected again.'), BACK_SHOWN_MS);
}

/**
 * @param {TableState} state
 * @param {string} text
 * @param {number} [hide_ms]
 */
function announce(state, text, hide_ms) {
  banner(state, text, hide_ms);
  say(text);
}

/**
 * Shows one waiting message after another, and stops while a row is turned over.
 * @param {TableState} state
 */
async function showWaiting(state) {
  if (state.showing) return;
  state.showing = true;
  try {
    for (let next = nextMessage(state); next; next = nextMessage(state)) {
      await showMessage(state, next);
      if (state.waiting.length && !isReading()) await wait(pause_ms(state.waiting.length));
    }
  } finally {
    state.showing = false;
  }
}

/** @param {TableState} state */
const nextMessage = (state) => (isReading() ? undefined : state.waiting.shift());

/**
 * The pause between two messages, so that each can be seen; a long queue is shortened.
 * @param {number} waiting how many more there are
 */
export const pause_ms = (waiting) => (waiting > 5 ? 60 : 450);

/**
 * A row that was doubted is turned over first; the table plays on when that has been read.
 * @param {TableState} state
 * @param {TableMessage} message
 */
async function showMessage(state, message) {
  const { view, placedCard, reveal, isNew, rematch } = takeMessage(state, message);
  if (isNew && reveal) speak(message.view, message.event.happened);
  if (isNew) sayLines(state, inWords(message.view, message.event));
  if (reveal) {
    const closed = closing();
    if (view) prepareCards(view); // while the row is read
    turnOver(state, message.view, { animated: true }).then(() => goOnLater(state));
    await closed;
    state.wentOn_ms = Date.now();
    if (state.held.length) state.socket?.goOn(message.event.seq);
  }
  if (view) await replace(state, view, reveal ? null : placedCard);
  if (isNew && !reveal) speak(message.view, message.event.happened);
  if (rematch) await followRematch(state, rematch);
}

const closing = () =>
  new Promise((done) => the('#reveal', HTMLDialogElement).addEventListener('close', done, { once: true }));

/**
 * Goes to the rematch. Players get the same seats there: the answer brings the cookie for them.
 * @param {TableState} state
 * @param {string} table
 */
export async function followRematch(state, table) {
  if (state.held.length) await send(state, 'POST', 'rematch', undefined, { quiet: true });
  location.href = location.pathname.replace(state.table, table);
}

/**
 * Closes a reveal that nobody touches once the table has played on.
 * @param {TableState} state
 */
function goOnLater(state) {
  clearTimeout(state.timers.goOn);
  const ms = goOnDelay_ms(state, state.revealed);
  if (ms === null) return;
  state.timers.goOn = setTimeout(() => {
    if (state.waiting.length || state.shared) the('#reveal', HTMLDialogElement).close();
    else goOnLater(state);
  }, ms);
}

/**
 * How long a reveal is left open: players without a clock are not hurried; a shared screen goes on by itself, and sooner
 * if the next doubt is waiting.
 * @param {TableState} state
 * @param {number} cards
 */
export function goOnDelay_ms(state, cards) {
  if (state.held.length && state.view.clock === null) return null;
  if (!state.shared) return GO_ON_MS;
  return isDoubtWaiting(state) ? HURRY_MS : SHARED_GO_ON_MS + SHARED_GO_ON_PER_CARD_MS * cards;
}
