// The stream of events. A lost connection is announced, tried again, and announced when it is back; the server then
// sends what was missed.
import { isReading, turnOver } from '../dialogs/reveal.js';
import { $$, the, wait } from '../shared/dom.js';
import { tableStream } from '../shared/urls.js';
import { say, sayEvent } from './live-region.js';
import { banner, texts } from './notices.js';
import { showReaction } from './reactions.js';
import { replace } from './render.js';
import { send } from './requests.js';
import { isDoubtWaiting, takeMessage } from './state.js';

/** @typedef {import('./state.js').TableState} TableState */

const LOST_AFTER_MS = 2500; // a shorter interruption is not announced
const RECONNECT_MS = 3000;
const BACK_SHOWN_MS = 3000;
const GO_ON_MS = 12_000; // how long a reveal stays open that nobody touches
const SHARED_GO_ON_MS = 5000;
const SHARED_GO_ON_PER_CARD_MS = 300;
const HURRY_MS = 2000;

/** @param {TableState} state */
export function bindStream(state) {
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
  addEventListener('offline', () => onLost(state));
  addEventListener('online', () => connect(state));
  connect(state);
}

/** @param {TableState} state */
function connect(state) {
  state.stream?.close();
  const after = Math.max(state.lastEvent, state.snapshot.seq);
  const stream = new EventSource(tableStream(state.table, after));
  state.stream = stream;
  stream.addEventListener('open', () => onConnected(state));
  stream.addEventListener('error', () => {
    state.timers.lost ??= setTimeout(() => onLost(state), LOST_AFTER_MS);
    if (stream.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    setTimeout(() => {
      if (state.stream === stream) connect(state);
    }, RECONNECT_MS);
  });
  stream.addEventListener('table', ({ data }) => {
    state.waiting.push(JSON.parse(data));
    showWaiting(state);
  });
  stream.addEventListener('reaction', ({ data }) => showReaction(state, JSON.parse(data)));
}

/** @param {TableState} state */
function onLost(state) {
  clearTimeout(state.timers.lost);
  if (!state.lost) announce(state, texts().lost);
  state.lost = true;
}

/** @param {TableState} state */
function onConnected(state) {
  clearTimeout(state.timers.lost);
  delete state.timers.lost;
  if (!state.lost) return;
  state.lost = false;
  announce(state, texts().back, BACK_SHOWN_MS);
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
 * @param {TableState} state
 * @param {import('./messages.js').TableMessage} message
 */
async function showMessage(state, message) {
  const { html, placedCard, reveal, said, rematch } = takeMessage(state, message);
  if (html !== null) await replace(state, html, placedCard);
  if (reveal) turnOver(state, { animated: true }).then(() => goOnLater(state));
  if (said !== null) sayEvent(state, said);
  if (rematch) await follow(state, rematch);
}

/**
 * Goes to the rematch. Players get the same seats there: the answer brings the cookie for them.
 * @param {TableState} state
 * @param {string} table
 */
export async function follow(state, table) {
  if (state.held.length) await send(state, 'POST', 'rematch', undefined, { quiet: true });
  location.href = location.pathname.replace(state.table, table);
}

/**
 * Closes a reveal that nobody touches once the table has played on.
 * @param {TableState} state
 */
function goOnLater(state) {
  clearTimeout(state.timers.goOn);
  const ms = goOnDelay_ms(state, $$('#reveal .turned').length);
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
  if (state.held.length && state.snapshot.clock === null) return null;
  if (!state.shared) return GO_ON_MS;
  return isDoubtWaiting(state) ? HURRY_MS : SHARED_GO_ON_MS + SHARED_GO_ON_PER_CARD_MS * cards;
}
