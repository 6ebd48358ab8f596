// The clock's bar shows what is left of the turn by the server's time, also when the page is opened late.
import { $ } from '../shared/dom.js';

/** @typedef {import('../connection/messages.js').View} View */
/** @typedef {import('./state.js').TableState} TableState */

/**
 * How long the turn has lasted, in seconds. After a doubt it begins when the reveal was closed.
 * @param {Pick<TableState, 'serverAhead_s' | 'wentOn_ms' | 'reading_s'>} state
 * @param {Pick<View, 'turn_began'>} view
 * @param {number} now_ms
 */
export function elapsed_s({ serverAhead_s, wentOn_ms, reading_s }, { turn_began }, now_ms) {
  const began_s = turn_began ?? 0;
  const wentOn_s = wentOn_ms / 1000 + serverAhead_s;
  const from_s = Math.max(began_s, Math.min(wentOn_s, began_s + reading_s));
  return Math.max(0, now_ms / 1000 + serverAhead_s - from_s);
}

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
