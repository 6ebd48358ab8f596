// The lens: a card of the row held under the eyes for as long as the mouse rests on it or a finger presses it. Sliding along
// looks through the row; letting go does nothing.
import { cardImage } from '../draw/cards.js';
import { $, the } from '../shared/dom.js';

const HOVER_MS = 350; // shorter, it would flicker wherever the mouse passes
const HOLD_MS = 250;
const MOVED_PX = 12; // a finger that moves further before it has held is dragging or scrolling
const MOUSE_LARGER = 1.25; // a lens has to show more than the card itself

/** @returns {(event: PointerEvent) => HTMLElement | null} */
const cardUnder = () => (event) => {
  const found = document
    .elementsFromPoint(event.clientX, event.clientY)
    .find((element) => element instanceof HTMLImageElement && element.dataset.card);
  return found instanceof HTMLElement ? found : null;
};

export function bindLens() {
  const area = the('#table', HTMLElement);
  const under = cardUnder();
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
    const found = under(event);
    if (found === card && found) return;
    close();
    if (!found || event.buttons || $('dialog[open]')) return;
    card = found;
    timer = setTimeout(() => show(found, event), HOVER_MS);
  };
  const slide = (/** @type {PointerEvent} */ event) => {
    const found = under(event);
    if (isHeld && found && found !== card) open(found, event);
    else if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > MOVED_PX) clearTimeout(timer);
  };

  area.addEventListener('pointermove', (event) => (event.pointerType === 'mouse' ? hover(event) : slide(event)));
  area.addEventListener('pointerdown', (event) => {
    close();
    const found = under(event);
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
 * On the other half of the screen, so that the card itself stays in sight.
 * @param {HTMLElement} card
 * @param {PointerEvent} event
 */
function show(card, event) {
  $('.lens')?.remove();
  const width = Math.min(innerWidth * 0.45, innerHeight * 0.7 * (630 / 880));
  const own = card.getBoundingClientRect();
  if (event.pointerType === 'mouse' && width < own.width * MOUSE_LARGER) return;
  const lens = document.createElement('div');
  lens.className = 'lens';
  lens.setAttribute('aria-hidden', 'true');
  lens.style.width = `${width}px`;
  lens.style[own.left + own.width / 2 < innerWidth / 2 ? 'right' : 'left'] = '12px';
  lens.style[own.top + own.height / 2 < innerHeight / 2 ? 'bottom' : 'top'] = '12px';
  lens.append(cardImage(card.dataset.card ?? '', ''));
  document.body.append(lens);
}
