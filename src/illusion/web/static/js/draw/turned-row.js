// What a doubt reveals: the row with each picture's share, who laid it, and the sign (<, = or >) between it and the card before;
// and the arrow that it was about, shown large, then flying to the player who takes it.
import { $, classes, h, seatShape, wait } from '../shared/dom.js';
import { cardImage } from '../shared/pictures.js';
import { _, names, percent } from '../shared/texts.js';
import { labelOf, placeOfBroke } from './words.js';

/** @typedef {import('../table/messages.js').Doubt} Doubt */
/** @typedef {import('../table/messages.js').TurnedCard} TurnedCard */
/** @typedef {import('../table/messages.js').View} View */

/**
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 */
export const turnedRow = (view, doubt, me) =>
  h(
    'ol',
    { class: 'turned-row', 'data-arrow': doubt.arrow },
    doubt.row.map((card, at) => turned(view, doubt, card, at, me)),
  );

/**
 * A faint copy of the card that made the row wrong where it belongs: before this card of the others, or after the last.
 * @param {Doubt} doubt
 * @param {number} at
 */
function ghost(doubt, at) {
  const { broke, row } = doubt;
  if (!broke) return null;
  const others = [...row.keys()].filter((place) => place !== broke.card);
  const belongs = placeOfBroke(doubt, broke) - 1;
  const isAfter = belongs >= others.length;
  if (belongs === broke.card || (isAfter ? others.at(-1) : others[belongs]) !== at) return null;
  const image = cardImage(row[broke.card]?.card ?? '', '');
  return h('span', { class: classes('ghost', isAfter && 'after'), 'aria-hidden': 'true' }, image);
}

/**
 * @param {View} view
 * @param {Doubt} doubt
 * @param {TurnedCard} card
 * @param {number} at
 * @param {number | null} me
 */
function turned(view, doubt, { card, shares, placed_by: seat }, at, me) {
  const { arrow, row, falls, broke } = doubt;
  const share = shares[arrow];
  const before = row[at - 1]?.shares[arrow];
  const isFall = falls.includes(at);
  const told = _('Card %(n)s: %(share)s %(colour)s.', {
    n: at + 1,
    share: percent(share),
    colour: names().colours[arrow],
  });
  const image = cardImage(card, told);
  const filled = h('i');
  filled.style.width = `${share}%`; // the page's security policy forbids a style attribute
  return h(
    'li',
    {
      class: classes('turned', isFall && 'fall', broke?.card === at && 'broke'),
      'data-at': at,
      'data-share': share,
    },
    h('span', { class: 'echo', 'aria-hidden': 'true' }),
    h('span', { class: 'picture' }, image, before !== undefined && sign(before, share)),
    h('span', { class: 'bar', 'aria-hidden': 'true' }, filled),
    h(
      'p',
      { class: 'facts-below' },
      h('b', { class: 'share' }, percent(share)),
      h(
        'span',
        { class: 'by' },
        seat === null ? _('first card') : [seatShape(seat), h('span', {}, labelOf(view, seat, me))],
      ),
    ),
    isFall && fallMark((before ?? share) - share),
    ghost(doubt, at),
  );
}

/**
 * The size of a fall, shown at its seam.
 * @param {number} points
 */
const fallMark = (points) =>
  h(
    'p',
    { class: 'fall-mark' },
    h('span', { class: 'hide' }, _('drops by %(points)s', { points })),
    h('span', { 'aria-hidden': 'true' }, `−${points}`),
  );

/**
 * @param {number} before
 * @param {number} share
 */
function sign(before, share) {
  let told = share > before ? '<' : '>';
  if (share === before) told = '=';
  return h('span', { class: 'sign', 'data-sign': told, 'aria-hidden': 'true' }, told);
}

const FLIGHT_MS = 950;
const CHIPS_IN_MS = 250; // the transition in table.css by which small screens show the chips first

/**
 * The large arrow flies to the chip of the taker.
 * @param {HTMLElement} dialog
 * @param {number} taker
 * @param {AbortSignal} signal ends it
 */
export async function flyToChip(dialog, taker, signal) {
  const prize = $('.prize', dialog);
  const shape = prize?.querySelector('svg');
  const chip = $(`.players [data-seat="${taker}"]`, dialog);
  if (!prize || !shape || !chip) return;
  dialog.classList.add('flies');
  chip.classList.add('takes');
  await wait(CHIPS_IN_MS, signal);
  const from = shape.getBoundingClientRect();
  const to = ($('.mini.empty', chip) ?? $('.won-arrows', chip) ?? chip).getBoundingClientRect();
  if (signal.aborted || !from.width) return;
  const flying = /** @type {SVGElement} */ (shape.cloneNode(true));
  flying.classList.add('flying');
  dialog.append(flying);
  prize.classList.add('gone');
  const size = Math.max(to.height, 12) / from.height;
  const [x, y] = [
    to.left + to.width / 2 - from.left - from.width / 2,
    to.top + to.height / 2 - from.top - from.height / 2,
  ];
  for (const [name, px] of Object.entries({ left: from.left, top: from.top, width: from.width, height: from.height }))
    flying.style.setProperty(name, `${px}px`);
  flying.animate(
    [
      { transform: 'none' },
      { transform: `translate(${x * 0.1}px, ${y * 0.1 + 24}px) scale(1.35)`, offset: 0.35, easing: 'ease-in' },
      { transform: `translate(${x}px, ${y}px) scale(${size})` },
    ],
    { duration: FLIGHT_MS, easing: 'ease-out', fill: 'both' },
  );
  await wait(FLIGHT_MS, signal);
  flying.remove();
}
