// The table after a message. Most messages bring nothing but that a card was laid, and pages work out what that changes.

/** @typedef {import('../connection/messages.js').Change} Change */
/** @typedef {import('../connection/messages.js').View} View */

/**
 * @param {View} view the table before, or after the same event if that was told already
 * @param {Change} message
 * @returns {View}
 */
export function viewAfter(view, { event, view: whole }) {
  if (whole) return whole;
  const placed = event.happened.find((each) => each.event === 'card-placed');
  return placed && event.seq === view.seq + 1 ? withCard(view, event, placed) : view;
}

/**
 * Whether something happened in between that this page has not heard of.
 * @param {View} view
 * @param {{ seq: number }} event
 */
export const isMissed = (view, event) => event.seq > view.seq + 1;

/**
 * A card was laid in a gap, and the deck's next one is seen (R4.3); the deck can be empty (R6.4).
 * @param {View} view
 * @param {{ seq: number, at: number }} event
 * @param {{ seat: number, card: string, gap: number, next_card: string | null, to_play: number }} placed
 * @returns {View}
 */
function withCard(view, { seq, at }, { seat, card, gap, next_card, to_play }) {
  const row = inserted(view.row, gap, card);
  return {
    ...view,
    seq,
    row,
    placed_by: inserted(view.placed_by, gap, seat),
    laid: inserted(view.laid, gap, view.row.length),
    last_placed_by: seat,
    next_card,
    to_play,
    turn_began: at,
    legal: { gaps: next_card ? [...row.keys(), row.length] : [], doubt: true },
    cards_left: view.cards_left - 1,
  };
}

/**
 * @template T
 * @param {T[]} list
 * @param {number} at
 * @param {T} item
 */
const inserted = (list, at, item) => [...list.slice(0, at), item, ...list.slice(at)];
