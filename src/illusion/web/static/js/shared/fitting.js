// How large the cards of a row can be in a box, in one line or in several.

const HEIGHT_TO_WIDTH = 880 / 630; // of a card
const MAX_LINES = 5;
const MAX_CARDS_IN_SIGHT = 15; // a longer row scrolls

/**
 * @typedef {object} Room in pixels
 * @property {number} width
 * @property {number} height
 * @property {number} seam between two cards
 * @property {number} lead before the first card of a line
 * @property {number} under below each card
 */

/**
 * @typedef {object} Fit
 * @property {number} card the width of a card
 * @property {number} perLine
 */

/**
 * The widest cards with which the whole row is in sight.
 * @param {number} cards how many
 * @param {Room} room
 * @returns {Fit}
 */
export function largestCards(cards, { width, height, seam, lead, under }) {
  const count = Math.max(1, Math.min(cards, MAX_CARDS_IN_SIGHT));
  let best = { card: 0, perLine: 1 };
  for (let lines = 1; lines <= MAX_LINES; lines += 1) {
    const perLine = Math.ceil(count / lines);
    const byWidth = (width - lead - seam * perLine) / perLine;
    const byHeight = (height / lines - under) / HEIGHT_TO_WIDTH;
    const card = Math.floor(Math.min(byWidth, byHeight));
    if (card > best.card) best = { card, perLine };
  }
  return best;
}
