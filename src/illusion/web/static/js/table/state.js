// The state of a table's page, in one object. The functions here read and change it and touch nothing else; render.js and
// placing.js show it.
import { noDrag } from '../shared/gaps.js';

/** @typedef {import('../shared/gaps.js').DragState} DragState */
/** @typedef {import('./messages.js').PageData} PageData */
/** @typedef {import('./messages.js').TableMessage} TableMessage */
/** @typedef {import('./messages.js').View} View */

/** @typedef {ReturnType<typeof setTimeout>} Timer */

/**
 * @typedef {object} TableState
 *
 * The page
 * @property {string} table the table's code
 * @property {readonly number[]} held the seats of this device
 * @property {boolean} waits whether this device has a seat in the next game
 * @property {boolean} shared whether this is a shared screen, where nothing can be pressed
 * @property {number} serverAhead_s by how much the server's time is ahead of this device's
 * @property {number} reading_s by how much a reveal puts off the clock at most
 *
 * The table
 * @property {View} view the table as it is on the page
 * @property {boolean} wasMyTurn whether it was our turn when that was last announced
 *
 * The first game
 * @property {import('../shared/settings.js').FirstGame} known what this device has been told
 * @property {string | null} lesson what it is told now
 *
 * The turn
 * @property {number | null} chosenGap chosen, and not yet placed
 * @property {boolean} atLineEnd whether the card stands at the end of a line, where the chosen gap is at a break
 * @property {boolean} sending whether a move has been sent and not been answered
 * @property {DragState} drag
 *
 * Waiting
 * @property {Map<string, number>} guesses what the reader guessed of cards that have not been turned over, in percent, by
 *   the cards' addresses
 *
 * Looking at cards
 * @property {string | null} zoomed the card last seen large
 * @property {string | null} comparing the card that the next one is compared with
 * @property {number} wentOn_ms when the last reveal was closed
 * @property {AbortController | null} turning a row being turned over, card by card; aborted once all of it is shown
 *
 * The stream
 * @property {import('./following.js').Socket | null} socket
 * @property {TableMessage[]} waiting messages that wait for their turn to be shown
 * @property {boolean} showing whether one of them is being shown
 * @property {number | null} unread a doubt whose row was being read when the page was loaded again
 * @property {number} dealt_ms when the cards of the round lay there
 * @property {number} lastEvent the number of the last event that was announced
 * @property {number[]} reading the seats that still look at the row that was turned over
 * @property {boolean} tellsReaders whether the banner says so
 * @property {boolean} lost whether the connection is lost, and that has been said
 * @property {Map<number, string>} faces the reaction that each seat shows just now
 *
 * @property {AudioContext | null} audio
 * @property {number} sounding tones that have not ended
 * @property {Timers} timers
 */

/**
 * @typedef {object} Timers
 * @property {Timer} [toast] hides it
 * @property {Timer} [banner] hides it
 * @property {Timer} [lost] says that the connection is lost
 * @property {Timer} [closing] closes the reveal
 * @property {Timer} [hurry] looks again how much of our turn is left
 */

/**
 * @param {PageData} page
 * @param {{ shared?: boolean, now_ms?: number, known?: import('../shared/settings.js').FirstGame }} [options]
 * @returns {TableState}
 */
export function createState(page, { shared = false, now_ms = Date.now(), known = { told: [], turns: 0 } } = {}) {
  return {
    table: page.view.table,
    held: page.held,
    waits: page.waits,
    shared,
    serverAhead_s: page.now - now_ms / 1000,
    reading_s: peopleAt(page.view) > 1 ? page.reading : Number.POSITIVE_INFINITY,
    view: page.view,
    wasMyTurn: false,
    known,
    lesson: null,
    chosenGap: null,
    atLineEnd: false,
    sending: false,
    drag: noDrag(),
    guesses: new Map(),
    zoomed: null,
    comparing: null,
    wentOn_ms: 0,
    turning: null,
    socket: null,
    waiting: [],
    showing: false,
    unread: null,
    dealt_ms: 0,
    lastEvent: 0,
    reading: [],
    tellsReaders: false,
    lost: false,
    faces: new Map(),
    audio: null,
    sounding: 0,
    timers: {},
  };
}

/**
 * The number of people who play and are not away.
 * @param {View} view
 */
export const peopleAt = ({ players }) => players.filter(({ level, away }) => level === null && !away).length;

/**
 * The seat of this person; null for a spectator, and on a shared device.
 * @param {Pick<TableState, 'held'>} state
 * @returns {number | null}
 */
export const mySeat = ({ held }) => (held.length === 1 ? (held[0] ?? null) : null);

/**
 * Whether a seat is this person's; on a shared device none is.
 * @param {TableState} state
 * @param {number} seat
 */
export const isMe = (state, seat) => mySeat(state) === seat;

/**
 * @param {TableState} state
 * @param {View} [view]
 */
export const isMyTurn = (state, view = state.view) =>
  view.phase === 'playing' && view.to_play !== null && state.held.includes(view.to_play);

/**
 * @param {TableState} state
 * @param {View} [view]
 */
export const isHost = (state, view = state.view) => view.host !== null && state.held.includes(view.host);

/**
 * Whether all people at this device are away.
 * @param {TableState} state
 */
export const isAway = ({ held, view }) =>
  view.phase === 'playing' &&
  held.length > 0 &&
  held.every((seat) => view.players.some((player) => player.seat === seat && player.away));

/**
 * The gaps that are legal for us now.
 * @param {TableState} state
 * @param {View} [view]
 */
export const legalGaps = (state, view = state.view) => (isMyTurn(state, view) ? view.legal.gaps : []);

/**
 * @param {TableState} state
 * @param {View} [view]
 */
export const mayDoubt = (state, view = state.view) => isMyTurn(state, view) && view.legal.doubt;

/**
 * Whether the reader may guess at the next card: on a device of their own, while another player thinks.
 * @param {TableState} state
 * @param {View} [view]
 */
export const mayGuess = (state, view = state.view) =>
  view.guesses &&
  view.phase === 'playing' &&
  view.next_card !== null &&
  mySeat(state) !== null &&
  !isMyTurn(state, view);

/**
 * Chooses a gap, if that is legal.
 * @param {TableState} state
 * @param {number} gap
 */
export function chooseGap(state, gap) {
  if (state.sending || !legalGaps(state).includes(gap)) return false;
  state.chosenGap = gap;
  return true;
}

/** @typedef {{ move: 'place', gap: number } | { move: 'doubt' }} Move */

/**
 * The body of a move. `seq` is the state that it answers: the server refuses a stale one.
 * @param {TableState} state
 * @param {Move} move
 * @returns {(Move & { seq: number }) | null}
 */
export function beginMove(state, move) {
  if (state.sending || !isMyTurn(state)) return null;
  state.sending = true;
  return { ...move, seq: state.view.seq };
}

/**
 * Takes a newer view, which may come before the answer to our move. The chosen gap is kept if the row is the same.
 * @param {TableState} state
 * @param {View} next
 */
export function takeView(state, next) {
  const { view: old, chosenGap } = state;
  const sameTurn =
    old.to_play === next.to_play && old.next_card === next.next_card && old.row.length === next.row.length;
  state.view = next;
  state.sending = false;
  state.chosenGap = sameTurn && chosenGap !== null && legalGaps(state).includes(chosenGap) ? chosenGap : null;
}

/**
 * What the page has to do for a message.
 * @typedef {object} Todo
 * @property {View | null} view the table to show, if it is newer
 * @property {string | null} placedCard the address of a card that was just placed
 * @property {boolean} reveal whether a row was doubted and is turned over
 * @property {boolean} isNew whether the event has not been announced
 * @property {string | null} rematch the table where somebody wants another game
 * @property {boolean} isLost whether a seat of this device was lost
 */

/**
 * Takes a message. After a lost connection it may be a known one.
 * @param {TableState} state
 * @param {TableMessage} message
 * @returns {Todo}
 */
export function takeMessage(state, { seq, view, event }) {
  const isNew = event.seq > state.lastEvent;
  state.lastEvent = Math.max(state.lastEvent, event.seq);
  const happened = isNew ? event.happened : [];
  const placed = happened.find((each) => each.event === 'card-placed');
  return {
    view: seq > state.view.seq ? view : null,
    placedCard: placed?.card ?? null,
    reveal: view.last_doubt !== null && happened.some((each) => each.event === 'row-doubted'),
    isNew,
    rematch: (event.entry === 'played-again' && event.table) || null,
    isLost: isNew && isSeatLost(state, event),
  };
}

/**
 * Whether somebody was sent away, or sits now where we sat.
 * @param {TableState} state
 * @param {import('./messages.js').TableEvent} event
 */
const isSeatLost = ({ held }, { entry, seat }) =>
  ['sat-down', 'stood-up', 'sent-away'].includes(entry) && seat !== undefined && held.includes(seat);

/**
 * Whether a later doubt is in the queue.
 * @param {TableState} state
 */
export const isDoubtWaiting = ({ waiting }) =>
  waiting.some(({ event }) => event.happened.some((each) => each.event === 'row-doubted'));

/**
 * Seconds since the turn began, by the server's time; after a doubt, since the reveal was closed.
 * @param {Pick<TableState, 'serverAhead_s' | 'wentOn_ms' | 'reading_s'>} state
 * @param {Pick<View, 'turn_began'>} view
 * @param {number} now_ms
 */
export function elapsed_s({ serverAhead_s, wentOn_ms, reading_s }, { turn_began }, now_ms) {
  const began_s = turn_began ?? 0;
  const wentOn_s = wentOn_ms / 1000 + serverAhead_s;
  const from_s = Math.max(began_s, Math.min(wentOn_s, began_s + reading_s));
  return Math.max(0, now_ms / 1000 + serverAhead_s - from_s);
}
