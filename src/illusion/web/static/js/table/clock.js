// The clock's bar shows what is left of the turn by the server's time, also when the page is opened late.
import { $ } from '../shared/dom.js';

/** @typedef {import('./messages.js').View} View */
/** @typedef {import('./state.js').TableState} TableState */

/**
 * How long the turn has lasted, in seconds.
 * @param {Pick<TableState, 'serverAhead_s'>} state
 * @param {Pick<View, 'turn_began'>} view
 * @param {number} now_ms
 */
export const elapsed_s = ({ serverAhead_s }, { turn_began: began }, now_ms) =>
  Math.max(0, now_ms / 1000 + serverAhead_s - (began ?? 0));

/**
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {View} view
 */
export function startClock(state, section, view) {
  const clock = $('.clock', section);
  if (!clock || view.clock === null) return;
  clock.style.setProperty('--turn-time', `${view.clock}s`);
  clock.style.setProperty('--spent', `${-elapsed_s(state, view, Date.now())}s`);
}
