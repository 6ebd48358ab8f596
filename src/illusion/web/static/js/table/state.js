// Everything that a table's page knows, in one object. The functions here read and change it and touch nothing else;
// what is on the page is made from it by render.js and placing.js.
import { noDrag } from '../shared/dragging.js';

/** @typedef {import('../shared/dragging.js').DragState} DragState */
/** @typedef {import('./messages.js').PageData} PageData */
/** @typedef {import('./messages.js').Snapshot} Snapshot */
/** @typedef {import('./messages.js').TableMessage} TableMessage */
/** @typedef {ReturnType<typeof setTimeout>} Timer */

/**
 * @typedef {object} TableState
 *
 * The page
 * @property {string} table the table's code
 * @property {readonly number[]} held the seats of this device
 * @property {boolean} shared whether this is a shared screen, where nothing can be pressed
 * @property {number} serverAhead_s by how much the server's time is ahead of this device's
 *
 * The table
 * @property {Snapshot} snapshot the table as it is on the page
 * @property {boolean} wasMyTurn whether it was our turn when that was last announced
 *
 * The turn
 * @property {number | null} chosenGap chosen, and not yet placed
 * @property {boolean} sending whether a move has been sent and not been answered
 * @property {DragState} drag
 *
 * Looking at cards
 * @property {string | null} zoomed the card last seen large
 * @property {string | null} comparing the card that the next one is compared with
 * @property {boolean} revealing whether a row is being turned over, card by card; false skips the rest
 *
 * The stream
 * @property {EventSource | null} stream
 * @property {TableMessage[]} waiting messages that wait for their turn to be shown
 * @property {boolean} showing whether one of them is being shown
 * @property {number} lastEvent the number of the last event that was announced
 * @property {boolean} lost whether the connection is lost
 * @property {Map<number, string>} faces the reaction that each seat shows just now
 *
 * @property {AudioContext | null} audio
 * @property {Timers} timers
 */

/**
 * @typedef {object} Timers
 * @property {Timer} [toast] hides it
 * @property {Timer} [banner] hides it
 * @property {Timer} [lost] says that the connection is lost
 * @property {Timer} [goOn] closes the reveal
 */

/**
 * @param {PageData} page
 * @param {Snapshot} snapshot
 * @param {{ shared?: boolean, now_ms?: number }} [options]
 * @returns {TableState}
 */
export function createState(page, snapshot, { shared = false, now_ms = Date.now() } = {}) {
  return {
    table: page.table,
    held: page.held,
    shared,
    serverAhead_s: page.now - now_ms / 1000,
    snapshot,
    wasMyTurn: false,
    chosenGap: null,
    sending: false,
    drag: noDrag(),
    zoomed: null,
    comparing: null,
    revealing: false,
    stream: null,
    waiting: [],
    showing: false,
    lastEvent: 0,
    lost: false,
    faces: new Map(),
    audio: null,
    timers: {},
  };
}

/**
 * Whether a seat is this person's; where one device is passed around, no seat is.
 * @param {TableState} state
 * @param {number} seat
 */
export const isMe = (state, seat) => state.held.length === 1 && state.held[0] === seat;

/**
 * @param {TableState} state
 * @param {Snapshot} [snapshot]
 */
export const isMyTurn = (state, snapshot = state.snapshot) =>
  snapshot.phase === 'playing' && snapshot.toPlay !== null && state.held.includes(snapshot.toPlay);

/**
 * @param {TableState} state
 * @param {Snapshot} [snapshot]
 */
export const isHost = (state, snapshot = state.snapshot) =>
  snapshot.host !== null && state.held.includes(snapshot.host);

/**
 * Whether bots stand in for everybody at this device.
 * @param {TableState} state
 */
export const isAway = ({ held, snapshot }) =>
  snapshot.phase === 'playing' && held.length > 0 && held.every((seat) => snapshot.away.includes(seat));

/**
 * The gaps where we may place the next card now.
 * @param {TableState} state
 * @param {Snapshot} [snapshot]
 */
export const legalGaps = (state, snapshot = state.snapshot) => (isMyTurn(state, snapshot) ? snapshot.legal.gaps : []);

/**
 * @param {TableState} state
 * @param {Snapshot} [snapshot]
 */
export const mayDoubt = (state, snapshot = state.snapshot) => isMyTurn(state, snapshot) && snapshot.legal.doubt;

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
 * The body of a move that may be sent now. `seq` says which state it answers: the server refuses it if that is stale.
 * @param {TableState} state
 * @param {Move} move
 * @returns {(Move & { seq: number }) | null}
 */
export function beginMove(state, move) {
  if (state.sending || !isMyTurn(state)) return null;
  state.sending = true;
  return { ...move, seq: state.snapshot.seq };
}

/**
 * A newer table has come, perhaps before the answer to our move. A chosen gap stays chosen while the row is the same.
 * @param {TableState} state
 * @param {Snapshot} next
 */
export function takeSnapshot(state, next) {
  const { snapshot: old, chosenGap } = state;
  const sameTurn = old.toPlay === next.toPlay && old.nextCard === next.nextCard && old.cardsInRow === next.cardsInRow;
  state.snapshot = next;
  state.sending = false;
  state.chosenGap = sameTurn && chosenGap !== null && legalGaps(state).includes(chosenGap) ? chosenGap : null;
}

/**
 * What the page has to do about a message of the stream.
 * @typedef {object} Todo
 * @property {string | null} html the fragment to show, if it is newer
 * @property {string | null} placedCard the address of a card that was just placed
 * @property {boolean} reveal whether a row was doubted and is turned over
 * @property {string | null} said what to announce, if the event is new
 * @property {string | null} rematch the table to follow the others to
 */

/**
 * Takes note of a message. After a lost connection the server may send what is already known.
 * @param {TableState} state
 * @param {TableMessage} message
 * @returns {Todo}
 */
export function takeMessage(state, { seq, html, event, said }) {
  const isNew = event.seq > state.lastEvent;
  state.lastEvent = Math.max(state.lastEvent, event.seq);
  const happened = isNew ? event.happened : [];
  const placed = happened.find((each) => each.event === 'card-placed');
  return {
    html: seq > state.snapshot.seq ? html : null,
    placedCard: placed?.card ?? null,
    reveal: happened.some((each) => each.event === 'row-doubted'),
    said: isNew ? said : null,
    rematch: (event.entry === 'played-again' && event.table) || null,
  };
}

/**
 * Whether the next doubt waits already to be shown.
 * @param {TableState} state
 */
export const isDoubtWaiting = ({ waiting }) =>
  waiting.some(({ event }) => event.happened.some((each) => each.event === 'row-doubted'));
