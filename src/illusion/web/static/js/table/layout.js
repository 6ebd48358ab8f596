// The size of cards and their places: the whole row is visible, as large as its box allows. Each further line begins with a
// pale echo of the card before it, and the gap at a break is shown at both of its ends.
import { $, $$, required } from '../shared/dom.js';
import { showPicture } from '../shared/pictures.js';
import { reducedMotion } from '../shared/settings.js';
import { largestCards, linesKept, notBrokenBefore, placesIn } from './fitting.js';

/** @typedef {import('./fitting.js').Fit} Fit */

export const GLIDE_MS = 250;
const MAKE_ROOM_MS = 700; // after a card was placed, until the row makes room for the next one
const IN_PLACE = '(width >= 768px)'; // on wider screens a row is turned over where it lies
const SMALL_PX = 87; // below it half a card is the target of a gap
const TINY_PX = 60; // below it a turned card has room for its share only

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
 * Makes the cards of a row as large as its box allows, and places them.
 * @param {HTMLElement} row
 * @param {HTMLElement} box
 * @param {HTMLElement[]} cells
 * @param {readonly number[]} [kept] how many cards were in each line; the lines change only if they must
 * @returns {Fit}
 */
export function fitRow(row, box, cells, kept) {
  const style = getComputedStyle(box);
  const inner = (/** @type {string} */ from, /** @type {string} */ to) =>
    Number.parseFloat(style.getPropertyValue(from)) + Number.parseFloat(style.getPropertyValue(to));
  const seam = length(row, '--seam');
  const lead = length(row, '--lead');
  const fit = largestCards(
    cells.length,
    {
      width: box.clientWidth - inner('padding-left', 'padding-right'),
      height: box.clientHeight - inner('padding-top', 'padding-bottom'),
      seam,
      lead,
      under: length(row, '--under'),
      spare: length(row, '--spare'),
    },
    kept,
  );
  const perLine = Math.max(...fit.lines);
  row.classList.add('fitted');
  row.style.setProperty('--card', `${fit.card}px`);
  row.style.setProperty('--per-line', String(perLine));
  row.style.width = `${lead + perLine * (fit.card + seam)}px`;
  const placed = placesIn(fit.lines);
  for (const [at, cell] of cells.entries()) cell.style.gridArea = `${placed[at]?.line} / ${placed[at]?.column}`;
  return fit;
}

/** Fits the row of the table, and marks where its lines break. */
export function layOut() {
  const row = $('#row');
  const box = row?.parentElement;
  if (row && box) layOutRow(row, box, row.dataset.box === sizeOf(box) ? linesOf(row) : []);
  for (const region of $$('.acts, #reveal .verdict')) makeReachable(region);
  for (const turned of $$('.turned-row')) {
    if (turned.parentElement?.clientHeight) layOutTurned(turned, turned.parentElement, row);
  }
}

/** @param {HTMLElement} box */
const sizeOf = (box) => `${box.clientWidth}×${box.clientHeight}`;

/**
 * @param {HTMLElement} row
 * @param {HTMLElement} box
 * @param {readonly string[][]} before the cards in each line as they lay
 */
function layOutRow(row, box, before) {
  const cells = cellsOf(row);
  const { card, lines } = fitRow(row, box, cells, linesKept(before, addressesOf(cells)));
  row.dataset.box = sizeOf(box);
  row.classList.toggle('small', card < SMALL_PX);
  markBreaks(cells, lines);
  const end = $('.far-end', row);
  if (end) end.style.gridArea = `${lines.length} / ${(lines.at(-1) ?? 0) + 1}`;
}

/**
 * Lays out a revealed row in the places that it has on the table, if the screen has room for that.
 * @param {HTMLElement} turned
 * @param {HTMLElement} box
 * @param {HTMLElement | null} row
 */
function layOutTurned(turned, box, row) {
  const cells = $$('.turned', turned);
  const cards = addressesOf(cells);
  const kept = row && liesOnTable(turned) ? linesKept(linesOf(row), cards) : [];
  turned.classList.remove('tiny');
  let fit = fitRow(turned, box, cells, kept);
  if (fit.card < TINY_PX && !liesOnTable(turned)) {
    turned.classList.add('tiny');
    fit = fitRow(turned, box, cells, kept);
  }
  const falls = cells.flatMap((cell, place) => ($('.fall-mark', cell) ? [place] : []));
  const together = notBrokenBefore(fit.lines, falls);
  if (!liesOnTable(turned)) fit = fitRow(turned, box, cells, together); // a pair that is wrong stays in one line
  markBreaks(cells, fit.lines);
}

/** @param {HTMLElement} turned */
const liesOnTable = (turned) => turned.closest('#reveal') !== null && matchMedia(IN_PLACE).matches;

/** @param {HTMLElement} row */
export const cellsOf = (row) => $$('.cell:not(.far-end)', row);

/** @param {HTMLElement[]} cells */
const addressesOf = (cells) => cells.map((cell) => $('.picture img, [data-card]', cell)?.dataset.picture ?? '');

/**
 * The number of cards in each line of a row that has been laid out.
 * @param {HTMLElement} row
 */
function linesOf(row) {
  /** @type {string[][]} */
  const lines = [];
  for (const cell of cellsOf(row)) {
    const line = Number.parseInt(cell.style.gridRowStart, 10);
    if (line) lines[line - 1] = [...(lines[line - 1] ?? []), $('[data-card]', cell)?.dataset.card ?? ''];
  }
  const opened = $('.opened', row);
  const inLine = lines[Number.parseInt(opened?.style.gridRowStart ?? '', 10) - 1];
  if (opened && inLine) inLine.push($('img', opened)?.dataset.picture ?? '');
  return lines;
}

/**
 * @param {HTMLElement[]} cells
 * @param {readonly number[]} lines
 */
function markBreaks(cells, lines) {
  const placed = placesIn(lines);
  for (const [at, cell] of cells.entries()) {
    const begins = placed[at]?.column === 1;
    cell.classList.toggle('line-start', begins);
    cell.classList.toggle('line-end', placed[at + 1]?.column === 1);
    showEcho(cell, begins && at ? (cells[at - 1] ?? null) : null);
  }
}

/**
 * Makes a region that scrolls focusable, for keys.
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
  const echo = $('.echo', cell);
  if (!echo) return;
  const card = before ? addressesOf([before])[0] : '';
  if ((echo.dataset.of ?? '') === (card ?? '')) return;
  echo.dataset.of = card ?? '';
  echo.replaceChildren();
  if (!card) return;
  const image = new Image();
  image.alt = '';
  showPicture(image, card);
  echo.append(image);
}

/**
 * Makes a change to the table, and animates cards from their old to their new places (FLIP: first, last, invert, play; Paul
 * Lewis, 2015). If a card was placed in the open row, they stay in place for a moment first.
 * @param {() => void} change
 */
export function glide(change) {
  const row = $('#row');
  const lines = row ? linesOf(row) : [];
  const opened = $('#row .opened img')?.dataset.picture;
  const before = document.visibilityState === 'visible' ? places() : new Map();
  change();
  const after = $('#row');
  const box = after?.parentElement;
  if (after && box && after !== row) layOutRow(after, box, lines);
  layOut();
  const isHeld = opened !== undefined && $(`#row [data-card="${opened}"]`) !== null;
  if (before.size && (isHeld || !reducedMotion())) moveFrom(before, isHeld);
}

/**
 * @param {Map<string, DOMRect>} before where the cards were
 * @param {boolean} isHeld whether they stay there for a moment
 */
function moveFrom(before, isHeld) {
  for (const [card, image] of cardImages()) {
    const from = before.get(card) ?? before.get(`next ${card}`);
    const to = image.getBoundingClientRect();
    if (!from || !to.width || (from.left === to.left && from.top === to.top && from.width === to.width)) continue;
    const inLine = Math.abs(from.top - to.top) < to.height / 2 || !before.has(card);
    const element = image.closest('.cell') ?? image;
    if (!(element instanceof HTMLElement)) continue;
    if (reducedMotion()) hold(element, moved(from, to));
    else animate(element, moved(from, to), { inLine, isHeld });
  }
}

/**
 * Animates a card to its place; one that changes its line fades out in the old place and in at the new one.
 * @param {HTMLElement} element
 * @param {string} move
 * @param {{ inLine: boolean, isHeld: boolean }} how
 */
function animate(element, move, { inLine, isHeld }) {
  const was = { transform: move, transformOrigin: '0 0' };
  const is = { transform: 'none', transformOrigin: '0 0' };
  const frames = inLine
    ? [was, is]
    : [
        { ...was, opacity: 1, offset: 0 },
        { ...was, opacity: 0, offset: 0.5 },
        { ...is, opacity: 0, offset: 0.5 },
        { ...is, opacity: 1, offset: 1 },
      ];
  element.animate(frames, {
    duration: GLIDE_MS,
    delay: isHeld ? MAKE_ROOM_MS : 0,
    fill: 'backwards',
    easing: 'ease-out',
  });
}

/**
 * With reduced motion: the card stays in place for a moment, then jumps.
 * @param {HTMLElement} element
 * @param {string} move
 */
function hold(element, move) {
  element.style.transformOrigin = '0 0';
  element.style.transform = move;
  setTimeout(() => release(element), MAKE_ROOM_MS);
}

/** @param {HTMLElement} element */
export function release(element) {
  for (const moving of element.getAnimations()) moving.finish();
  element.style.transform = '';
  element.style.transformOrigin = '';
}

/**
 * @param {DOMRect} from
 * @param {DOMRect} to
 */
export const moved = (from, to) =>
  `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width})`;

/** @returns {[string, HTMLElement][]} the cards of the row, also one that stands in a gap, and the next card */
const cardImages = () =>
  $$('#row img[data-card], .opened img, #next img').map((image) => [
    `${image.closest('#next') ? 'next ' : ''}${image.dataset.picture}`,
    image,
  ]);

const places = () => new Map(cardImages().map(([card, image]) => [card, image.getBoundingClientRect()]));

/** Lays out again when the screen or anything around the row changes its size. */
export function bindLayout() {
  const observer = new ResizeObserver(() => requestAnimationFrame(layOut)); // later: it may resize what is observed
  const observe = () => {
    for (const box of $$('.board, .acts, .last, #reveal .stage')) observer.observe(box);
  };
  required('#table', HTMLElement).addEventListener('settled', observe);
  observe();
}
