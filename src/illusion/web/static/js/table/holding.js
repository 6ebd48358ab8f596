// Doubting by holding the button down: it fills, and no question is asked. A plain press or a key asks, as ever.
import { closest, the } from '../shared/dom.js';
import { doubt } from './placing.js';

/** @typedef {import('./state.js').TableState} TableState */

const HOLD_MS = 500; // as long as it fills in table.css
const TICK_MS = 25;

/** @param {TableState} state */
export function bindHolding(state) {
  const area = the('#table', HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let hasDoubted = false;
  /** @type {HTMLElement | null} */
  let button = null;

  const letGo = () => {
    clearTimeout(timer);
    button?.classList.remove('filling');
    button = null;
  };
  area.addEventListener('pointerdown', (event) => {
    letGo();
    hasDoubted = false;
    const pressed = closest(event, '#doubt:enabled');
    if (!pressed || event.button !== 0) return;
    button = pressed;
    button.classList.add('filling');
    timer = setTimeout(() => {
      hasDoubted = true;
      letGo();
      navigator.vibrate?.(TICK_MS);
      doubt(state);
    }, HOLD_MS);
  });
  area.addEventListener('pointermove', (event) => {
    if (button && document.elementFromPoint(event.clientX, event.clientY) !== button) letGo();
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) area.addEventListener(end, letGo);
  area.addEventListener('contextmenu', (event) => {
    if (closest(event, '#doubt')) event.preventDefault();
  });
  area.addEventListener(
    'click',
    (event) => {
      if (hasDoubted && closest(event, '#doubt')) event.stopPropagation(); // the press has said it already
    },
    true,
  );
}
