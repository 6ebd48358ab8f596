// Dragging a card to a gap of a row, with a mouse, a pen or a finger: at a table and in the tutorial.
import { closest } from './dom.js';

const THRESHOLD_PX = 8; // a shorter way is a press
const ABOVE_PX = 60; // how far above and below the row a card can be dropped
const BELOW_PX = 40;
const EDGE_PX = 50; // so close to an end of the row it scrolls
const SCROLL_PX = 9; // in each frame
const MAX_WIDTH_PX = 150; // of the card that is dragged
const TOUCH_LIFT = 0.8; // a finger must not cover the card, so the card is above it
const MOUSE_LIFT = 0.5;

/**
 * What a page knows about dragging; part of its state.
 * @typedef {object} DragState
 * @property {string} pointer what was last pressed with: mouse, pen or touch
 * @property {boolean} moved whether the last press became a drag; the click that ends a drag is no press
 * @property {(() => void) | null} cancel ends the drag under way
 */

/**
 * What is dragged where.
 * @typedef {object} Pick
 * @property {HTMLElement} card a copy of it follows the pointer
 * @property {HTMLElement[]} gaps where it can be dropped
 * @property {HTMLElement} row it scrolls when the card is at one of its ends
 */

/**
 * @typedef {object} DragOptions
 * @property {HTMLElement} area where presses are heard; it outlives what is in it
 * @property {string} handle the selector of what can be dragged
 * @property {() => Pick | null} pick null where nothing may be dragged now
 * @property {() => void} onLift the card has left its place
 * @property {(gap: HTMLElement) => void} onDrop the card was dropped at a gap
 */

/** @returns {DragState} */
export const noDrag = () => ({ pointer: 'mouse', moved: false, cancel: null });

/**
 * @param {DragState} drag
 * @param {DragOptions} options
 */
export function bindDragging(drag, options) {
  options.area.addEventListener('dragstart', (event) => event.preventDefault()); // the browser's own dragging
  options.area.addEventListener('pointerdown', (event) => pressed(drag, options, event));
}

/**
 * @param {DragState} drag
 * @param {DragOptions} options
 * @param {PointerEvent} down
 */
function pressed(drag, options, down) {
  drag.pointer = down.pointerType || 'mouse';
  drag.moved = false;
  if (down.button !== 0 || !closest(down, options.handle)) return;
  const pick = options.pick();
  if (!pick) return;

  /** @type {HTMLElement | null} */
  let copy = null;
  /** @type {HTMLElement | null} */
  let over = null;
  let speed = 0;
  let frame = 0;
  const listeners = new AbortController();
  const { signal } = listeners;

  const scroll = () => {
    if (speed) pick.row.scrollLeft += speed;
    frame = requestAnimationFrame(scroll);
  };
  const lift = () => {
    drag.moved = true;
    options.onLift();
    copy = copyOf(pick.card);
    document.body.append(copy);
    document.body.classList.add('dragging');
    pick.card.classList.add('lifted');
    pick.row.style.scrollSnapType = 'none';
    scroll();
    return copy;
  };
  const move = (/** @type {PointerEvent} */ at) => {
    if (!copy && !isDrag(down, at)) return;
    const card = copy ?? lift();
    const { width, height } = card.getBoundingClientRect();
    const above = height * (drag.pointer === 'touch' ? TOUCH_LIFT : MOUSE_LIFT);
    card.style.transform = `translate(${at.clientX - width / 2}px, ${at.clientY - above}px)`;
    const row = pick.row.getBoundingClientRect();
    const near = isNear(row, at.clientY);
    speed = near ? scrollSpeed(row, at.clientX) : 0;
    const best = near ? (pick.gaps[nearest(pick.gaps.map(middle), at.clientX)] ?? null) : null;
    if (best === over) return;
    over?.classList.remove('over');
    best?.classList.add('over');
    over = best;
  };
  const end = () => {
    cancelAnimationFrame(frame);
    listeners.abort();
    copy?.remove();
    over?.classList.remove('over');
    document.body.classList.remove('dragging');
    pick.card.classList.remove('lifted');
    pick.row.style.scrollSnapType = '';
    drag.cancel = null;
  };
  const drop = () => {
    const gap = over;
    end();
    if (gap) options.onDrop(gap);
  };

  drag.cancel = end;
  addEventListener('pointermove', move, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener('pointerup', drop, { signal });
}

/** @param {HTMLElement} card */
function copyOf(card) {
  const copy = /** @type {HTMLElement} */ (card.cloneNode());
  copy.className = 'card dragged';
  copy.style.width = `${Math.min(card.getBoundingClientRect().width, MAX_WIDTH_PX)}px`;
  return copy;
}

/** @param {HTMLElement} gap */
function middle(gap) {
  const { left, width } = gap.getBoundingClientRect();
  return left + width / 2;
}

/** @typedef {{ clientX: number, clientY: number }} Point */

/**
 * Whether the pointer has moved far enough.
 * @param {Point} from
 * @param {Point} to
 */
export const isDrag = (from, to) => Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) >= THRESHOLD_PX;

/**
 * Whether a height is near enough to the row to drop a card there.
 * @param {{ top: number, bottom: number }} row
 * @param {number} y
 */
export const isNear = (row, y) => y > row.top - ABOVE_PX && y < row.bottom + BELOW_PX;

/**
 * By how much the row scrolls in each frame.
 * @param {{ left: number, right: number }} row
 * @param {number} x
 */
export function scrollSpeed(row, x) {
  if (x < row.left + EDGE_PX) return -SCROLL_PX;
  return x > row.right - EDGE_PX ? SCROLL_PX : 0;
}

/**
 * The index of the nearest position, the first of equals; -1 if there is none.
 * @param {readonly number[]} positions
 * @param {number} x
 */
export function nearest(positions, x) {
  const distances = positions.map((position) => Math.abs(position - x));
  return distances.indexOf(Math.min(...distances));
}
