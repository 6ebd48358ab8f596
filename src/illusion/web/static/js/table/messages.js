// What the server sends to a table's page, and how it is read. docs/tables.md describes the same events for programs.

/** @typedef {'red' | 'yellow' | 'green' | 'blue'} Colour */
/** @typedef {'waiting' | 'playing' | 'over' | 'closed'} Phase */

/**
 * What the seat at turn may do now; nobody else may do anything. Only the server decides this.
 * @typedef {object} Legal
 * @property {number[]} gaps where the next card can be placed
 * @property {boolean} doubt
 */

/**
 * What the page needs to know about the table, from the data attributes of its fragment (_table.html).
 * @typedef {object} Snapshot
 * @property {number} seq the number of the last event in it
 * @property {Phase} phase
 * @property {number} round
 * @property {number | null} toPlay the seat at turn
 * @property {number | null} host
 * @property {number} cardsInRow
 * @property {string} nextCard its address; empty when there is none
 * @property {Legal} legal
 * @property {number[]} away seats that a bot stands in for
 * @property {number | null} clock seconds for a turn
 * @property {number} turnBegan seconds since 1970
 * @property {string} rematch the code of the table where the same people play again; empty until there is one
 */

/**
 * What the page knows about itself, from `#table`.
 * @typedef {object} PageData
 * @property {string} table the table's code
 * @property {number[]} held the seats of this device: none for a spectator, several where one device is passed around
 * @property {number} now the server's time, in seconds since 1970
 */

/**
 * A card of a row that was turned over.
 * @typedef {object} TurnedCard
 * @property {string} card
 * @property {Record<Colour, number>} shares in percent
 * @property {number | null} placed_by null for the first card of a round
 */

/**
 * One thing that happened in the game.
 * @typedef {{ event: 'round-started', round: number, arrow: Colour, first_card: string, next_card: string,
 *             to_play: number }
 *         | { event: 'card-placed', seat: number, card: string, gap: number, next_card: string | null,
 *             to_play: number }
 *         | { event: 'row-doubted', seat: number, arrow: Colour, row: TurnedCard[], first_fall: number | null }
 *         | { event: 'arrow-awarded', seat: number, arrow: Colour }
 *         | { event: 'game-ended', winners: number[], ending: string }} Happened
 */

/**
 * An entry of the table's log, as everybody may know it; some kinds have more fields.
 * @typedef {object} TableEvent
 * @property {number} seq
 * @property {string} entry its kind
 * @property {number} at seconds since 1970
 * @property {Happened[]} happened
 * @property {string} [table] the code of the rematch, in an entry of the kind `played-again`
 */

/**
 * A message of the stream: an event, what it is in words, and the table after it.
 * @typedef {object} TableMessage
 * @property {number} seq the number of the last event that `html` shows
 * @property {string} html the fragment
 * @property {TableEvent} event
 * @property {string} said paragraphs for the live region
 */

/**
 * @typedef {object} ReactionMessage
 * @property {number} seat
 * @property {string} reaction
 */

/**
 * Why a request was refused: application/problem+json.
 * @typedef {object} Problem
 * @property {string} [code]
 * @property {string} [title]
 * @property {string} [detail]
 */

/**
 * What a bot took the shares of a row to be.
 * @typedef {object} Believed
 * @property {number} seat
 * @property {number[]} shares in percent
 */

/** @typedef {Readonly<Record<string, string | undefined>>} Data a dataset */

/**
 * @param {Data} data of `#state`
 * @returns {Snapshot}
 */
export function readSnapshot(data) {
  return {
    seq: Number(data.seq),
    phase: /** @type {Phase} */ (data.phase),
    round: Number(data.round),
    toPlay: numberOrNull(data.toPlay),
    host: numberOrNull(data.host),
    cardsInRow: Number(data.row),
    nextCard: data.next ?? '',
    legal: JSON.parse(data.legal ?? '{"gaps":[],"doubt":false}'),
    away: numbers(data.away),
    clock: numberOrNull(data.clock),
    turnBegan: Number(data.began),
    rematch: data.rematch ?? '',
  };
}

/**
 * @param {Data} data of `#table`
 * @returns {PageData}
 */
export const readPage = (data) => ({ table: data.table ?? '', held: numbers(data.held), now: Number(data.now) });

/** @param {string | undefined} text */
const numberOrNull = (text) => (text ? Number(text) : null);

/** @param {string | undefined} text */
const numbers = (text) => (text ? text.split(',').map(Number) : []);
