// Looking at cards: one enlarged, or two next to each other; and the lens.
import { colourBar } from '../draw/playing.js';
import { $, $$, h, required } from '../shared/dom.js';
import { cardImage } from '../shared/pictures.js';

/** @typedef {import('./state.js').TableState} TableState */

const dialog = () => required('#zoom', HTMLDialogElement);

/**
 * @param {TableState} state
 * @param {string} card
 */
export function look(state, card) {
  const cards = [...new Set([state.comparing ?? card, card])];
  const holder = required('.zoomed', HTMLElement);
  holder.classList.toggle('pair', cards.length > 1);
  holder.replaceChildren(...cards.map(picture));
  $('.colour-bar', dialog())?.remove();
  if (state.view.arrow) holder.before(colourBar(state.view.arrow));
  state.zoomed = card;
  required('[data-do=compare]', HTMLButtonElement, dialog()).hidden = cards.length > 1;
  compare(state, null);
  dialog().showModal();
}

/**
 * Compares: the next card that is chosen is shown next to this one; null ends that.
 * @param {TableState} state
 * @param {string | null} card
 */
export function compare(state, card) {
  state.comparing = card;
  required('#holding', HTMLElement).hidden = !card;
  for (const element of $$('.look')) element.classList.toggle('held', element.dataset.look === card);
}

/** @param {TableState} state */
export function compareZoomed(state) {
  dialog().close();
  compare(state, state.zoomed);
}

export function bindZoom() {
  dialog().addEventListener('click', ({ target }) => {
    if (target instanceof Element && !target.closest('.buttons')) dialog().close();
  });
}

/** @param {string} card */
function picture(card) {
  const known = $(`[data-look="${card}"] img`);
  return cardImage(card, known instanceof HTMLImageElement ? known.alt : '');
}

// The lens: enlarges a card of the row while the mouse rests on it or a finger holds it. Sliding along the row changes the
// card; letting go does nothing.

const HOVER_MS = 350; // shorter, it would flicker under a moving mouse
const HOLD_MS = 250;
const MOVED_PX = 12; // a finger that moves further before the lens opens drags or scrolls
const MARGIN_PX = 12;
const COVERS_ITSELF = 10; // the penalty of covering the card itself, relative to others
const MOUSE_LARGER = 1.7; // a lens has to show much more than the card itself

/**
 * The card of the row at this point, even below a gap's button.
 * @param {PointerEvent} event
 */
function cardUnder({ clientX, clientY }) {
  const found = document
    .elementsFromPoint(clientX, clientY)
    .find((element) => element instanceof HTMLImageElement && element.dataset.card);
  return found instanceof HTMLElement ? found : null;
}

export function bindLens() {
  const area = required('#table', HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {HTMLElement | null} */
  let card = null;
  let isHeld = false;
  let from = { x: 0, y: 0 };

  const close = () => {
    clearTimeout(timer);
    $('.lens')?.remove();
    card = null;
    isHeld = false;
  };
  const open = (/** @type {HTMLElement} */ found, /** @type {PointerEvent} */ event) => {
    card = found;
    show(found, event);
  };

  const hover = (/** @type {PointerEvent} */ event) => {
    const found = cardUnder(event);
    if (found === card && found) return;
    close();
    if (!found || event.buttons || $('dialog[open]')) return;
    card = found;
    timer = setTimeout(() => show(found, event), HOVER_MS);
  };
  const slide = (/** @type {PointerEvent} */ event) => {
    const found = cardUnder(event);
    if (isHeld && found && found !== card) open(found, event);
    else if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > MOVED_PX) clearTimeout(timer);
  };

  area.addEventListener('pointermove', (event) => (event.pointerType === 'mouse' ? hover(event) : slide(event)));
  area.addEventListener('pointerdown', (event) => {
    close();
    const found = cardUnder(event);
    from = { x: event.clientX, y: event.clientY };
    if (!found || event.pointerType === 'mouse') return;
    timer = setTimeout(() => {
      isHeld = true;
      open(found, event);
    }, HOLD_MS);
  });
  area.addEventListener('contextmenu', (event) => {
    if (isHeld) event.preventDefault();
  });
  area.addEventListener(
    'click',
    (event) => {
      if (!isHeld) return;
      event.preventDefault();
      event.stopPropagation(); // the press was for looking
    },
    true,
  );
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
    area.addEventListener(end, () => (isHeld ? setTimeout(close) : close()));
  }
}

/**
 * Shows the lens where it covers neither the card, nor the next card (to compare with), nor the colour.
 * @param {HTMLElement} card
 * @param {PointerEvent} event
 */
function show(card, event) {
  $('.lens')?.remove();
  const width = Math.min(innerWidth * 0.45, innerHeight * 0.7 * (630 / 880));
  const own = card.getBoundingClientRect();
  if (event.pointerType === 'mouse' && width < own.width * MOUSE_LARGER) return;
  const lens = h('div', { class: 'lens', 'aria-hidden': 'true' }, cardImage(card.dataset.card ?? '', ''));
  lens.style.width = `${width}px`;
  const others = $$('#next, .colour-bar', required('#table', HTMLElement)).map((each) => each.getBoundingClientRect());
  const place = placeFor(width, width * (880 / 630), own, others);
  lens.style.left = `${place.left}px`;
  lens.style.top = `${place.top}px`;
  document.body.append(lens);
}

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * The place that covers least, of the corners and the places beside the card; of equal ones the opposite corner.
 * @param {number} width
 * @param {number} height
 * @param {Box} own
 * @param {Box[]} others
 */
function placeFor(width, height, own, others) {
  const [far, low] = [innerWidth - width - MARGIN_PX, innerHeight - height - MARGIN_PX];
  const across = (own.left + own.right) / 2 < innerWidth / 2 ? [far, MARGIN_PX] : [MARGIN_PX, far];
  const over = (own.top + own.bottom) / 2 < innerHeight / 2 ? [low, MARGIN_PX] : [MARGIN_PX, low];
  const beside = [own.right + MARGIN_PX, own.left - width - MARGIN_PX].filter((left) => left >= 0 && left <= far);
  const places = [...across, ...beside].flatMap((left) =>
    over.map((top) => ({ left, top, right: left + width, bottom: top + height })),
  );
  const covered = (/** @type {Box} */ place) =>
    others.reduce((sum, other) => sum + overlap(place, other), COVERS_ITSELF * overlap(place, own));
  return places.reduce((best, place) => (covered(place) < covered(best) ? place : best));
}

/**
 * The area that two boxes share.
 * @param {Box} one
 * @param {Box} other
 */
const overlap = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
