// Types of what the server sends to a table's page. docs/tables.md describes the same views and events for programs.
import { pageData } from '../shared/texts.js';

/** @typedef {'red' | 'yellow' | 'green' | 'blue'} Colour */
/** @typedef {'waiting' | 'playing' | 'over' | 'closed'} Phase */

/**
 * Legal moves of the seat at turn. The server checks them all the same.
 * @typedef {object} Legal
 * @property {number[]} gaps where the next card can be placed
 * @property {boolean} doubt
 */

/**
 * @typedef {object} Player
 * @property {number} seat
 * @property {string} name
 * @property {string | null} level of a bot
 * @property {boolean} away whether a bot stands in
 */

/**
 * A card of a revealed row.
 * @typedef {object} TurnedCard
 * @property {string} card
 * @property {Record<Colour, number>} shares in percent
 * @property {number | null} placed_by null for the first card of a round
 */

/**
 * The card that first made a row wrong, as its index in the row, and the seat that laid it.
 * @typedef {{ card: number, seat: number }} Broke
 */

/**
 * @typedef {object} Doubt
 * @property {number} seat
 * @property {Colour} arrow
 * @property {TurnedCard[]} row
 * @property {number | null} first_fall
 * @property {number[]} falls the places of all cards with less than the one before
 * @property {Broke | null} broke
 * @property {number} taker who took the arrow
 */

/**
 * @typedef {object} Summary
 * @property {{ seat: number, right: number, wrong: number }[]} eyes
 * @property {number[]} best_eyes
 * @property {number[]} worst_eyes
 * @property {{ arrow: Colour, left: number, right: number } | null} closest
 * @property {Illusion | null} worst_illusion
 */

/**
 * The card that was placed furthest off, and a neighbour that it does not belong beside.
 * @typedef {{ card: string, arrow: Colour, seat: number, share: number, neighbour: number }} Illusion
 */

/**
 * A table as everybody sees it.
 * @typedef {object} View
 * @property {string} table
 * @property {number} seq the number of the last event in it
 * @property {Phase} phase
 * @property {string} variant
 * @property {{ arrows_to_win: number | null, rounds: number }} end
 * @property {string} penalty what a wrong doubt costs
 * @property {boolean} guesses whether people may guess at the next card while others think
 * @property {number | null} clock seconds for a turn
 * @property {number} seats
 * @property {number | null} host
 * @property {Player[]} players
 * @property {boolean} can_start
 * @property {boolean} locked whether nobody new may sit down
 * @property {number[]} open_seats what somebody new may take
 * @property {boolean} can_wait whether somebody new can have a seat in the next game
 * @property {{ number: number, name: string }[]} promised who has a seat in the next game, or one that is kept for them
 * @property {string | null} commitment
 * @property {number} round
 * @property {Colour | null} arrow
 * @property {string[]} row addresses of cards
 * @property {(number | null)[]} placed_by
 * @property {number[]} laid when each card of the row was laid, counted from 0
 * @property {number | null} last_placed_by
 * @property {'player' | 'stand-in' | 'clock' | null} last_by who made the last move
 * @property {string | null} next_card
 * @property {number | null} to_play the seat at turn
 * @property {number | null} turn_began seconds since 1970
 * @property {Legal} legal
 * @property {Colour[][]} arrows_won
 * @property {number} cards_left
 * @property {number[]} winners
 * @property {Doubt | null} last_doubt
 * @property {string | null} rematch the code of the table where the same people play again
 * @property {number | null} rematch_by the seat of whoever wanted it
 * @property {{ seed: string, nonce: string, generator: number } | null} secret
 * @property {Summary | null} summary
 */

/**
 * Data about the page itself.
 * @typedef {object} PageData
 * @property {number[]} held the seats of this device: none for a spectator, several where one device is passed around
 * @property {boolean} waits whether this device has a seat in the next game
 * @property {number} now the server's time, in seconds since 1970
 * @property {number} reading by how many seconds a reveal puts off the clock at most
 * @property {View} view
 */

/**
 * An event of the rules.
 * @typedef {{ event: 'round-started', round: number, arrow: Colour, first_card: string, next_card: string,
 *             to_play: number }
 *         | { event: 'card-placed', seat: number, card: string, gap: number, next_card: string | null,
 *             to_play: number }
 *         | ({ event: 'row-doubted' } & Doubt)
 *         | { event: 'arrow-awarded' | 'arrow-returned', seat: number, arrow: Colour }
 *         | { event: 'game-ended', winners: number[], ending: string }} Happened
 */

/**
 * The public event of an entry in the table's log; its fields depend on its kind.
 * @typedef {object} TableEvent
 * @property {number} seq
 * @property {string} entry its kind
 * @property {number} at seconds since 1970
 * @property {Happened[]} happened
 * @property {number} [seat]
 * @property {string} [name]
 * @property {string | null} [level]
 * @property {string} [variant]
 * @property {string} [penalty]
 * @property {boolean} [guesses]
 * @property {number | null} [clock]
 * @property {string} [why]
 * @property {'player' | 'stand-in' | 'clock'} [by] who made a move
 * @property {string | null} [instead_of] whose seat somebody took during the game
 * @property {boolean} [locked]
 * @property {number} [cards_in_row]
 * @property {string} [table] the code of the rematch, in an entry of the kind `played-again`
 */

/**
 * An event, and the table after it or after later ones.
 * @typedef {object} TableMessage
 * @property {number} seq the number of the last event in `view`
 * @property {TableEvent} event
 * @property {View} view
 * @property {Record<string, string>} [pictures] of cards that have just been shown: SVG by the card's address
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
 * A bot's estimates of a row's shares.
 * @typedef {object} Believed
 * @property {number} seat
 * @property {number[]} shares in percent
 */

/** @type {readonly Colour[]} */
export const COLOURS = ['red', 'yellow', 'green', 'blue'];

/** @returns {PageData} */
export const readPage = () => /** @type {PageData} */ (pageData('page'));
