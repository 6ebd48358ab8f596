// The arrow that a doubt was about: shown large, then flying to the player who takes it.
import { $, wait } from '../shared/dom.js';

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
