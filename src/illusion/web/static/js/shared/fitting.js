// How large cards can be in a box.

const HEIGHT_TO_WIDTH = 880 / 630; // of a card
const MAX_LINES = 4;

/**
 * The widest cards that fit, in one line or in several.
 * @param {number} cards how many
 * @param {{ width: number, height: number, gap: number, under: number }} room in pixels; `gap` is between two cards,
 *   `under` what is below each
 */
export function largestCards(cards, { width, height, gap, under }) {
  let best = { card: 0, perLine: 1 };
  for (let lines = 1; lines <= MAX_LINES; lines += 1) {
    const perLine = Math.ceil(cards / lines);
    const card = Math.floor(Math.min(width / perLine - gap, (height / lines - gap - under) / HEIGHT_TO_WIDTH));
    if (card > best.card) best = { card, perLine };
  }
  return best;
}
