// On wide screens the row opens at the chosen gap and shows the next card in it: the cards of that line move aside by half a
// card. So every line has room for one more card, and placing the card moves nothing.
import { $, $$, h } from '../shared/dom.js';
import { cardImage } from '../shared/pictures.js';
import { reducedMotion } from '../shared/settings.js';
import { cellsOf, GLIDE_MS, moved, release } from './layout.js';

const WIDE = '(height >= 500px) and ((width >= 1024px) or ((width >= 768px) and (orientation: landscape)))'; // as in table.css

/** Whether the next card is shown in the row itself, at the chosen gap. */
export const opensAtGap = () => matchMedia(WIDE).matches;

/** @param {() => void} change called when the screen becomes wide or narrow */
export const onWideChange = (change) => matchMedia(WIDE).addEventListener('change', change);

/**
 * Opens the row at a gap; closes it for null.
 * @param {{ gap: number | null, atLineEnd: boolean, card: string | null }} chosen at a break, whether at the end of the line
 *   above
 */
export function openRow({ gap, atLineEnd, card }) {
  const row = $('#row');
  if (!row) return;
  const old = $('.opened', row);
  const place = gap === null ? null : placeOf(cellsOf(row), gap, atLineEnd);
  for (const cell of $$('.cell', row)) moveAside(cell, place);
  if (!place || !card) return old?.remove();
  const from = (old ? $('img', old) : $('#next img'))?.getBoundingClientRect();
  const opened = old ?? h('li', { class: 'opened', 'aria-hidden': 'true' }, cardImage(card, ''));
  opened.style.gridArea = `${place.line} / 1`;
  opened.style.setProperty('--column', String(place.column - 1));
  if (!old) row.append(opened);
  if (!from?.width || reducedMotion()) return;
  const to = opened.getBoundingClientRect();
  opened.animate([{ transform: moved(from, to) }, { transform: 'none' }], { duration: GLIDE_MS, easing: 'ease-out' });
}

/**
 * The place of a gap: that of the card after it, or one after the last card of its line.
 * @typedef {{ line: string, column: number, isEnd: boolean }} Place
 */

/**
 * @param {HTMLElement[]} cells
 * @param {number} gap
 * @param {boolean} atLineEnd
 * @returns {Place}
 */
function placeOf(cells, gap, atLineEnd) {
  const isEnd = gap === cells.length || (atLineEnd && cells[gap]?.matches('.line-start') === true);
  const { gridRowStart: line = '', gridColumnStart: column = '' } = cells[isEnd ? gap - 1 : gap]?.style ?? {};
  return { line, column: Number(column) + Number(isEnd), isEnd };
}

/**
 * @param {HTMLElement} cell
 * @param {Place | null} place where the row opens
 */
function moveAside(cell, place) {
  if (place) release(cell);
  const { gridRowStart: line, gridColumnStart: column } = cell.style;
  const isBeside = place !== null && line === place.line && !(place.isEnd && cell.matches('.far-end'));
  cell.classList.toggle('moves-left', isBeside && Number(column) < place.column);
  cell.classList.toggle('moves-right', isBeside && Number(column) >= place.column);
}

const LENS_FROM = 9; // cards in the row
const LENS_LARGER = 1.25; // the least enlargement
const LENS_WIDTH = 0.62; // of the board
const LENS_HEIGHT = 0.5;
const LENS_FRAME_PX = 14; // and its distance from the gap

/**
 * If the row's cards are small, enlarges the three cards at the gap above or below its line, where there is enough room.
 * @param {HTMLElement} section
 * @param {boolean} isChosen
 */
export function showLens(section, isChosen) {
  const [board, row] = [$('.board', section), $('.row', section)];
  const [gap, box] = [$('.opened, .gap.over', row ?? section), board?.getBoundingClientRect()].map((each) =>
    each instanceof HTMLElement ? each.getBoundingClientRect() : each,
  );
  if (!box || !row) return;
  const cards = $$('[data-card]', row);
  const [above, below] = [(gap?.top ?? box.bottom) - box.top, box.bottom - (gap?.bottom ?? box.top)];
  const byWidth = (box.width * LENS_WIDTH - 4 * LENS_FRAME_PX) / 3;
  const byHeight = (Math.min(box.height * LENS_HEIGHT, Math.max(above, below)) - 4 * LENS_FRAME_PX) * (630 / 880);
  const card = Math.min(byWidth, byHeight);
  const isShown =
    isChosen && gap !== undefined && cards.length >= LENS_FROM && card >= LENS_LARGER * (cards[0]?.offsetWidth ?? 0);
  if (!section.classList.contains('near'))
    section.style.setProperty('--next-height', `${$('.next-card', section)?.offsetHeight ?? 0}px`);
  section.style.setProperty('--lens', `${card}px`);
  section.classList.toggle('near', isShown);
  section.classList.toggle('lens-above', above > below);
}
