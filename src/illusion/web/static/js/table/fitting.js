// The largest possible size of a row's cards, and their number in each line. Pure functions.

const HEIGHT_TO_WIDTH = 880 / 630; // of a card
const MAX_CARDS_IN_SIGHT = 40; // a longer row scrolls

/**
 * More lines are worth it only for cards that are this much larger; small cards need every pixel.
 * @param {number} card
 */
const worthwhile = (card) => card * (card < FEW_PX ? 1.05 : 1.15);
const FEW_PX = 104; // from here on a row that reads as a row is worth more than its size
const KEPT_UP_TO = 1.08; // lines are kept unless others allow cards this much larger

/**
 * @typedef {object} Room in pixels
 * @property {number} width
 * @property {number} height
 * @property {number} seam between two cards
 * @property {number} lead before the first card of a line
 * @property {number} under below each card
 * @property {number} [spare] for how many cards more each line has room
 */

/**
 * @typedef {object} Fit
 * @property {number} card the width of a card
 * @property {number[]} lines how many cards are in each
 */

/**
 * The widest cards with which the whole row is visible.
 * @param {number} cards how many
 * @param {Room} room
 * @param {readonly number[]} [kept] how many are in each line now
 * @returns {Fit}
 */
export function largestCards(cards, room, kept = []) {
  const count = Math.max(1, Math.min(cards, MAX_CARDS_IN_SIGHT));
  let best = { card: 0, lines: [count] };
  for (let lines = 1; lines <= count; lines += 1) {
    const fit = spread(count, lines);
    const card = widest(fit, room);
    if (card > worthwhile(best.card)) best = { card, lines: fit };
  }
  if (kept.length && cards <= MAX_CARDS_IN_SIGHT) {
    const card = widest(kept, room);
    if (card * KEPT_UP_TO >= best.card) return { card, lines: [...kept] };
  }
  const perLine = Math.max(...best.lines);
  return cards > count ? { card: best.card, lines: full(cards, perLine) } : best;
}

/**
 * Lines as full as the first one.
 * @param {number} cards
 * @param {number} perLine
 */
const full = (cards, perLine) =>
  Array.from({ length: Math.ceil(cards / perLine) }, (_each, line) => Math.min(perLine, cards - line * perLine));

/**
 * @param {number} cards
 * @param {number} lines
 */
const spread = (cards, lines) => full(cards, Math.ceil(cards / lines));

/**
 * @param {readonly number[]} lines
 * @param {Room} room
 */
function widest(lines, { width, height, seam, lead, under, spare = 0 }) {
  const perLine = Math.max(...lines) + spare;
  const byWidth = (width - lead - seam * perLine) / perLine;
  const byHeight = (height / lines.length - under) / HEIGHT_TO_WIDTH;
  return Math.max(0, Math.floor(Math.min(byWidth, byHeight)));
}

/**
 * The line of each card and its place there, from 1.
 * @param {readonly number[]} lines
 */
export const placesIn = (lines) =>
  lines.flatMap((count, line) => Array.from({ length: count }, (_each, at) => ({ line: line + 1, column: at + 1 })));

/**
 * The number of cards in each line if all stay in theirs; a new one joins a neighbour's line, the shorter of two.
 * @param {readonly string[][]} before
 * @param {readonly string[]} cards
 * @returns {number[]} none if cards have gone: it is another row
 */
export function linesKept(before, cards) {
  const line = new Map(before.flatMap((inLine, at) => inLine.map((card) => [card, at])));
  if (!before.length || [...line.keys()].some((card) => !cards.includes(card))) return [];
  const counts = before.map((inLine) => inLine.length);
  for (const [at, card] of cards.entries()) {
    if (line.has(card)) continue;
    const left = line.get(cards[at - 1] ?? '') ?? 0;
    const right =
      cards
        .slice(at + 1)
        .map((next) => line.get(next))
        .find((found) => found !== undefined) ?? left;
    const own = (counts[right] ?? 0) < (counts[left] ?? 0) ? right : left;
    line.set(card, own);
    counts[own] = (counts[own] ?? 0) + 1;
  }
  return counts;
}

/**
 * The same number of lines, broken elsewhere, so that no line begins with one of these cards.
 * @param {readonly number[]} lines
 * @param {readonly number[]} cards by their places
 */
export function notBrokenBefore(lines, cards) {
  const moved = [...lines];
  let at = 0;
  for (let line = 1; line < moved.length; line += 1) {
    const [above = 0, own = 0] = [moved[line - 1], moved[line]];
    at += lines[line - 1] ?? 0;
    if (!cards.includes(at)) continue;
    const by = own < above ? -1 : 1;
    moved[line - 1] = above + by;
    moved[line] = own - by;
  }
  return moved;
}
