// Following the table: messages are shown one after another, and queued during a reveal. And the connection.
import { closeShared, isReading, readRow } from '../draw/reveal.js';
import { inWords, namesOf, outOfTime } from '../draw/words.js';
import { $, required, wait } from '../shared/dom.js';
import { takePictures } from '../shared/pictures.js';
import { tableSocket } from '../shared/server.js';
import { _ } from '../shared/texts.js';
import { showReaction, speak } from './bubbles.js';
import { banner, hideBanner, say, sayLines, send, toast, toldTo } from './notices.js';
import { prepareCards, replace } from './render.js';
import { takeMessage } from './state.js';

/** @typedef {import('./messages.js').Problem} Problem */
/** @typedef {import('./messages.js').TableMessage} TableMessage */
/** @typedef {import('./state.js').TableState} TableState */

const LOST_AFTER_MS = 2500; // a shorter interruption is not announced
const BACK_SHOWN_MS = 3000;

/** @param {TableState} state */
export function follow(state) {
  required('#reveal', HTMLDialogElement).addEventListener('close', () => {
    showReaders(state);
    showWaiting(state);
  });
  state.unread = state.held.length ? readingSince(state) : null;
  state.socket = new Socket({
    address: () => tableSocket(state.table, seenUntil(state)),
    onMessage: (message) => {
      if (message.pictures) takePictures(message.pictures);
      state.waiting.push(message);
      showWaiting(state);
    },
    onReaction: (reaction) => showReaction(state, reaction),
    onReading: (seats) => {
      state.reading = seats;
      showReaders(state);
      closeShared(state);
    },
    onConnected: () => onConnected(state),
    onLost: () => {
      state.timers.lost ??= setTimeout(() => onLost(state), LOST_AFTER_MS);
    },
  });
}

/**
 * The number of the last event that was seen. A page that was loaded again while a row was read is told of that once more.
 * @param {TableState} state
 */
function seenUntil({ lastEvent, unread, view }) {
  return unread === null ? Math.max(lastEvent, view.seq) : unread - 1;
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
 * After closing a reveal, shows who is still reading it.
 * @param {TableState} state
 */
function showReaders(state) {
  const others = isReading() ? [] : state.reading.filter((seat) => !state.held.includes(seat));
  if (state.lost) return;
  if (others.length) banner(state, _('Still looking: %(names)s', { names: namesOf(state.view, others) }));
  else if (state.tellsReaders) hideBanner();
  state.tellsReaders = others.length > 0;
}

/**
 * Shows queued messages one after another, and stops during a reveal.
 * @param {TableState} state
 */
async function showWaiting(state) {
  if (state.showing) return;
  state.showing = true;
  try {
    for (;;) {
      await wait(dealtAlone_ms(state, Date.now()));
      const next = nextMessage(state);
      if (!next) break;
      await showMessage(state, next);
      if (state.waiting.length && !isReading()) await wait(pause_ms(state.waiting.length));
    }
  } finally {
    state.showing = false;
  }
}

const FIRST_CARD_MS = 1200;

/**
 * How long the first card of a round still lies alone before anybody else's move is shown.
 * @param {Pick<TableState, 'waiting' | 'held' | 'dealt_ms'>} state
 * @param {number} now_ms
 */
export function dealtAlone_ms({ waiting, held, dealt_ms }, now_ms) {
  const [next] = waiting;
  if (!next || held.includes(next.event.seat ?? -1)) return 0;
  return Math.max(0, dealt_ms + FIRST_CARD_MS - now_ms);
}

/** @param {TableState} state */
const nextMessage = (state) => (isReading() ? undefined : state.waiting.shift());

/**
 * The pause between two messages; shorter for a long queue.
 * @param {number} waiting how many more there are
 */
export const pause_ms = (waiting) => (waiting > 5 ? 800 : 1100);

/**
 * Shows a message; after a doubt the reveal comes first.
 * @param {TableState} state
 * @param {TableMessage} message
 */
async function showMessage(state, message) {
  const { view, placedCard, reveal, isNew, rematch, isLost } = takeMessage(state, message);
  if (isLost) return location.reload(); // the server knows which seats are ours
  if (isNew) tell(state, message);
  if (isNew && reveal) speak(message.view, message.event.happened);
  state.unread = null;
  if (reveal && !$('#seats[open] form')) await readDoubt(state, message, view);
  if (view) await replace(state, view, reveal ? null : placedCard);
  if (isNew && !reveal) speak(message.view, message.event.happened);
  if (rematch && state.shared) await followRematch(state, rematch);
}

/**
 * @param {TableState} state
 * @param {TableMessage} message
 * @param {import('./messages.js').View | null} next the table to show afterwards
 */
async function readDoubt(state, message, next) {
  if (next) prepareCards(next); // while the row is read
  noteReading(state, message.event.seq);
  await readRow(state, message.view);
  noteReading(state, null);
  state.wentOn_ms = Date.now();
  if (state.held.length) state.socket?.confirm(message.event.seq);
}

/**
 * An event in words; what the clock did for somebody is also shown.
 * @param {TableState} state
 * @param {TableMessage} message
 */
function tell(state, { view, event }) {
  sayLines(state, inWords(view, event));
  if (event.by === 'clock' && !state.shared) toast(state, toldTo(state, outOfTime(view, event)));
}

/** @param {TableState} state */
const readingKey = ({ table }) => `reading-${table}`;

/**
 * Remembers in this tab which row is being read, so that it is shown again if the page is loaded again meanwhile.
 * @param {TableState} state
 * @param {number | null} seq
 */
function noteReading(state, seq) {
  try {
    if (seq === null) sessionStorage.removeItem(readingKey(state));
    else if (state.held.length) sessionStorage.setItem(readingKey(state), String(seq));
  } catch {
    // Nothing can be stored: a page that is loaded again goes on.
  }
}

/** @param {TableState} state */
function readingSince(state) {
  try {
    return Number(sessionStorage.getItem(readingKey(state))) || null;
  } catch {
    return null;
  }
}

/**
 * Goes to the rematch. For players a request comes first, whose answer sets the cookie of their new seats.
 * @param {TableState} state
 * @param {string} table
 */
export async function followRematch(state, table) {
  if (state.held.length || state.waits) await send(state, 'POST', 'rematch', undefined, { quiet: true });
  location.href = location.pathname.replace(state.table, table);
}

// The page's connection to its table, for events and moves. A connection that is silent for too long counts as lost, even if
// the browser has not noticed.

const SILENT_MS = 12_000; // the server sends a heartbeat every four seconds, if nothing else happens
const ANSWER_MS = 4000;
const CHECK_MS = 1000;
const RETRIES_MS = [300, 1000, 2000, 3000];
const LOST_ANSWER = { problem: {} };

/** @typedef {{ id?: number, answer?: { seq: number }, problem?: Problem }} Answer */

/**
 * @typedef {object} Listener
 * @property {() => string} address where to connect, with the last event seen
 * @property {(message: import('./messages.js').TableMessage) => void} onMessage
 * @property {(reaction: import('./messages.js').ReactionMessage) => void} onReaction
 * @property {(seats: number[]) => void} onReading who still looks at the row that was turned over
 * @property {() => void} onConnected
 * @property {() => void} onLost
 */

export class Socket {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heard_ms = 0;
    this.failures = 0;
    /** @type {((answer: Answer) => void) | null} */
    this.answered = null;
    this.asked = 0; // the number of the last move that was sent
    setInterval(() => this.check(), CHECK_MS);
    addEventListener('online', () => this.connect());
    addEventListener('offline', () => this.lose());
    document.addEventListener('visibilitychange', () => this.check());
    this.connect();
  }

  connect() {
    this.drop();
    const socket = new WebSocket(this.listener.address());
    this.socket = socket;
    this.heard_ms = Date.now();
    socket.addEventListener('open', () => {
      this.failures = 0;
      this.listener.onConnected();
    });
    socket.addEventListener('message', ({ data }) => {
      for (const message of data.split('\n')) if (this.socket === socket) this.receive(message);
    });
    socket.addEventListener('close', () => this.socket === socket && this.lose());
  }

  /**
   * Sends a move; returns the answer, with an empty problem if none comes.
   * @param {object} move
   * @returns {Promise<Answer>}
   */
  send(move) {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.resolve(LOST_ANSWER);
    this.asked += 1;
    this.socket.send(JSON.stringify({ id: this.asked, ...move }));
    return new Promise((answered) => {
      this.answered = answered;
      setTimeout(() => {
        if (this.answered === answered) this.lose(); // the connection is dead
      }, ANSWER_MS);
    });
  }

  /**
   * Confirms that everything up to this number has been shown; bots wait for it after a doubt.
   * @param {number} seq
   */
  confirm(seq) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ read: seq }));
  }

  /** @param {string} data */
  receive(data) {
    this.heard_ms = Date.now();
    const message = JSON.parse(data);
    if (message.event) this.listener.onMessage(message);
    else if (message.reaction) this.listener.onReaction(message.reaction);
    else if (message.reading) this.listener.onReading(message.reading);
    else if (message.id === this.asked) this.settle(message);
  }

  check() {
    if (this.socket && Date.now() - this.heard_ms > SILENT_MS) this.lose();
  }

  lose() {
    this.drop();
    this.listener.onLost();
    const wait_ms = RETRIES_MS[Math.min(this.failures, RETRIES_MS.length - 1)] ?? 0;
    this.failures += 1;
    setTimeout(() => this.socket ?? this.connect(), wait_ms * (0.75 + Math.random() / 2));
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.settle(LOST_ANSWER);
  }

  /** @param {Answer} answer */
  settle(answer) {
    this.answered?.(answer);
    this.answered = null;
  }
}
