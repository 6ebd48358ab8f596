// The last seconds of our turn: the clock pulses, ticks, and a phone shakes.

import { $, the } from '../shared/dom.js';
import { reducedMotion } from '../shared/settings.js';
import { play } from '../table/sound.js';
import { elapsed_s, isMyTurn } from '../table/state.js';
import { isReading } from './reveal.js';

/** @typedef {import('../table/state.js').TableState} TableState */

export const LAST_S = 5;
const LONGEST_S = 3600; // between two looks: slow tables have days
const SHAKE_MS = 30;
const LATE_MS = 20; // so that a second has surely passed

/**
 * Whole seconds that are left of our turn, and when to look again; null if nobody hurries us.
 * @param {TableState} state
 * @param {number} now_ms
 */
export function secondsLeft(state, now_ms) {
  const { clock } = state.view;
  if (clock === null || !isMyTurn(state)) return null;
  const left_s = clock - elapsed_s(state, state.view, now_ms);
  const next_s = left_s > LAST_S ? Math.min(left_s - LAST_S, LONGEST_S) : left_s - Math.ceil(left_s) + 1;
  return { left: Math.max(Math.ceil(left_s), 0), next_ms: next_s * 1000 + LATE_MS };
}

/** @param {TableState} state */
export function bindHurry(state) {
  const look = () => {
    clearTimeout(state.timers.hurry);
    const found = secondsLeft(state, Date.now());
    const hurries = found !== null && found.left > 0 && found.left <= LAST_S && !isReading();
    $('#state')?.classList.toggle('hurry', hurries);
    if (!found?.left) return;
    if (hurries) warn(state);
    state.timers.hurry = setTimeout(look, found.next_ms);
  };
  the('#table', HTMLElement).addEventListener('settled', look);
  look();
}

/** @param {TableState} state */
function warn(state) {
  play(state, 'tick');
  if (!reducedMotion()) navigator.vibrate?.(SHAKE_MS);
}
