// Choosing a gap of a row, at a table and in the tutorial: by dragging a card there, or by keys.
import { closest } from './dom.js';

const THRESHOLD_PX = 8; // a shorter movement is a press
const REACH_PX = 60; // a card can be dropped this far outside of the row
const WIDTH_PX = 96; // of the card that is dragged
const TOUCH_LIFT = 1.15; // the card is above the finger, which would cover it
const MOUSE_LIFT = 0.5;

/**
 * The part of a page's state that concerns dragging.
 * @typedef {object} DragState
 * @property {string} pointer what was last pressed with: mouse, pen or touch
 * @property {boolean} moved whether the last press became a drag; the click that ends a drag is no press
 * @property {(() => void) | null} cancel ends the drag under way
 */

/**
 * What can be dragged, and where.
 * @typedef {object} Pick
 * @property {HTMLElement} card a copy of it follows the pointer
 * @property {HTMLElement[]} gaps where it can be dropped
 * @property {HTMLElement} row
 */

/**
 * @typedef {object} DragOptions
 * @property {HTMLElement} area where presses are heard; it outlives what is in it
 * @property {string} handle the selector of what can be dragged
 * @property {() => Pick | null} pick null where nothing may be dragged now
 * @property {() => void} onLift the card has left its place
 * @property {(gap: HTMLElement | null) => void} [onOver] the card is over another gap, or over none
 * @property {(gap: HTMLElement | null) => void} [onDrop] the card was let go over a gap, or elsewhere
 */

/** @typedef {{ clientX: number, clientY: number }} Point */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/** @returns {DragState} */
export const noDrag = () => ({ pointer: 'mouse', moved: false, cancel: null });

/**
 * @param {DragState} drag
 * @param {DragOptions} options
 */
export function bindDragging(drag, options) {
  options.area.addEventListener('dragstart', (event) => event.preventDefault()); // no native dragging
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
  const listeners = new AbortController();
  const { signal } = listeners;

  const lift = () => {
    drag.moved = true;
    options.onLift();
    copy = copyOf(pick.card);
    document.body.append(copy);
    document.body.classList.add('dragging');
    return copy;
  };
  const move = (/** @type {PointerEvent} */ at) => {
    if (!copy && !isDrag(down, at)) return;
    const card = copy ?? lift();
    const { width, height } = card.getBoundingClientRect();
    const above = height * (drag.pointer === 'touch' ? TOUCH_LIFT : MOUSE_LIFT);
    card.style.transform = `translate(${at.clientX - width / 2}px, ${at.clientY - above}px)`;
    const boxes = pick.gaps.map((gap) => gap.getBoundingClientRect()); // not earlier: the row may have moved since the press
    const best = isNear(pick.row.getBoundingClientRect(), at) ? (pick.gaps[nearest(boxes, at)] ?? null) : null;
    if (best === over) return;
    over?.classList.remove('over');
    best?.classList.add('over');
    over = best;
    options.onOver?.(over);
  };
  const end = () => {
    listeners.abort();
    copy?.remove();
    over?.classList.remove('over');
    document.body.classList.remove('dragging');
    drag.cancel = null;
  };
  const drop = (/** @type {HTMLElement | null} */ gap) => {
    end();
    if (copy) options.onDrop?.(gap);
  };

  drag.cancel = () => drop(null);
  addEventListener('pointermove', move, { signal });
  addEventListener('pointercancel', () => drag.cancel?.(), { signal });
  addEventListener('resize', () => drag.cancel?.(), { signal }); // the screen was turned
  addEventListener('pointerup', () => drop(over), { signal });
}

/** @param {HTMLElement} card */
function copyOf(card) {
  const copy = /** @type {HTMLElement} */ (card.cloneNode());
  copy.className = 'card dragged';
  copy.style.width = `${Math.min(card.getBoundingClientRect().width, WIDTH_PX)}px`;
  return copy;
}

/**
 * Whether the pointer has moved far enough.
 * @param {Point} from
 * @param {Point} to
 */
export const isDrag = (from, to) => Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY) >= THRESHOLD_PX;

/**
 * Whether a point is near enough to the row to drop a card there.
 * @param {{ top: number, bottom: number }} row
 * @param {{ clientY: number }} at
 */
export const isNear = (row, { clientY: y }) => y > row.top - REACH_PX && y < row.bottom + REACH_PX;

/**
 * The index of the nearest gap, the first of equal ones; -1 if there is none. Gaps in the same line come before all others.
 * @param {readonly Box[]} gaps
 * @param {Point} at
 */
export function nearest(gaps, { clientX: x, clientY: y }) {
  const distances = gaps.map(({ left, right, top, bottom }) => {
    const outside = Math.max(top - y, y - bottom, 0);
    return outside * 10 + Math.abs((left + right) / 2 - x);
  });
  return distances.indexOf(Math.min(...distances));
}

/**
 * The gap that a key leads to: arrows step and stop at the ends, Home and End go to them.
 * @param {readonly number[]} gaps those that can be chosen, in order
 * @param {number | null} chosen
 * @param {string} key
 * @returns {number | null}
 */
export function gapByKey(gaps, chosen, key) {
  const last = gaps.length - 1;
  const at = chosen === null ? -1 : gaps.indexOf(chosen);
  switch (key) {
    case 'ArrowRight':
      return gaps[Math.min(last, at + 1)] ?? null;
    case 'ArrowLeft':
      return gaps[at < 0 ? last : Math.max(0, at - 1)] ?? null;
    case 'Home':
      return gaps[0] ?? null;
    case 'End':
      return gaps[last] ?? null;
    default:
      return null;
  }
}
