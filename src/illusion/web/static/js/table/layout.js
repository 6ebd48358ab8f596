// The size of cards: the whole row is in sight, as large as its box allows. Where it breaks into lines, each line begins
// with a pale echo of the card before it, and the gap at the break is shown at both of its ends.
import { $, $$, the } from '../shared/dom.js';
import { dress } from '../shared/pictures.js';
import { reducedMotion } from '../shared/settings.js';

const GLIDE_MS = 250;
const SMALL_PX = 87; // below it half a card is the target of a gap

/**
 * A length that the style sheet sets for a row.
 * @param {HTMLElement} element
 * @param {string} name
 */
function length(element, name) {
  const probe = Number.parseFloat(getComputedStyle(element).getPropertyValue(name));
  return Number.isFinite(probe) ? probe : 0;
}

/**
 * Makes the cards of a row as large as its box allows.
 * @param {HTMLElement} row
 * @param {HTMLElement} box
 * @param {number} cards
 * @returns {Fit}
 */
export function fitRow(row, box, cards) {
  const style = getComputedStyle(box);
  const inner = (/** @type {string} */ from, /** @type {string} */ to) =>
    Number.parseFloat(style.getPropertyValue(from)) + Number.parseFloat(style.getPropertyValue(to));
  const seam = length(row, '--seam');
  const lead = length(row, '--lead');
  const fit = largestCards(cards, {
    width: box.clientWidth - inner('padding-left', 'padding-right'),
    height: box.clientHeight - inner('padding-top', 'padding-bottom'),
    seam,
    lead,
    under: length(row, '--under'),
  });
  row.style.setProperty('--card', `${fit.card}px`);
  row.style.width = `${lead + fit.perLine * (fit.card + seam)}px`;
  return fit;
}

/** Fits the row of the table, and marks where its lines break. */
export function layOut() {
  const row = $('#row');
  const box = row?.parentElement;
  if (row && box) {
    const cells = $$('.cell:not(.far-end)', row);
    const { card, perLine } = fitRow(row, box, cells.length);
    row.classList.toggle('small', card < SMALL_PX);
    for (const [at, cell] of cells.entries()) {
      const begins = at > 0 && at % perLine === 0;
      cell.classList.toggle('line-start', at % perLine === 0);
      cell.classList.toggle('line-end', at % perLine === perLine - 1 && at < cells.length - 1);
      showEcho(cell, begins ? (cells[at - 1] ?? null) : null);
    }
    $('.far-end', row)?.classList.toggle('wrapped', cells.length % perLine === 0);
  }
  for (const region of $$('.acts')) makeReachable(region);
  for (const turned of $$('.turned-row')) {
    if (turned.parentElement?.clientHeight) fitRow(turned, turned.parentElement, turned.children.length);
  }
}

/**
 * What has to be scrolled can be scrolled with keys, too.
 * @param {HTMLElement} region
 */
function makeReachable(region) {
  if (region.scrollHeight > region.clientHeight) region.tabIndex = 0;
  else region.removeAttribute('tabindex');
}

/**
 * @param {HTMLElement} cell
 * @param {HTMLElement | null} before the last card of the line above
 */
function showEcho(cell, before) {
  const echo = the('.echo', HTMLElement, cell);
  const card = before && $('img', before)?.dataset.card;
  if ((echo.dataset.of ?? '') === (card ?? '')) return;
  echo.dataset.of = card ?? '';
  echo.replaceChildren();
  if (!card) return;
  const image = new Image();
  image.alt = '';
  dress(image, card);
  echo.append(image);
}

/**
 * Makes a change to the table, and lets cards glide from where they were to where they are (FLIP: first, last, invert,
 * play; Paul Lewis, 2015).
 * @param {() => void} change
 */
export function glide(change) {
  const still = reducedMotion() || document.visibilityState !== 'visible';
  const before = still ? new Map() : places();
  change();
  layOut();
  if (still) return;
  for (const [card, image] of cardImages()) {
    const from = before.get(card);
    const to = image.getBoundingClientRect();
    if (!from || !to.width || (from.left === to.left && from.top === to.top && from.width === to.width)) continue;
    const move = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;
    image.style.transformOrigin = '0 0';
    image.animate([{ transform: move }, { transform: 'none' }], { duration: GLIDE_MS, easing: 'ease-out' });
  }
}

/** @returns {[string, HTMLElement][]} */
const cardImages = () => $$('#row img[data-card], #next img').map((image) => [image.dataset.picture ?? '', image]);

const places = () => new Map(cardImages().map(([card, image]) => [card, image.getBoundingClientRect()]));

/** Keeps the sizes right when the screen or anything around the row changes. */
export function bindLayout() {
  const observer = new ResizeObserver(() => requestAnimationFrame(layOut)); // later, as it may change what is observed
  const observe = () => {
    for (const box of $$('.board, .acts, .last, #reveal .stage')) observer.observe(box);
  };
  the('#table', HTMLElement).addEventListener('settled', observe);
  observe();
}

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
