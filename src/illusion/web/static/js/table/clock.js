// The clock's bar shows what is left of the turn by the server's time, also when the page is opened late.
import { $ } from '../shared/dom.js';

/** @typedef {import('./messages.js').Snapshot} Snapshot */
/** @typedef {import('./state.js').TableState} TableState */

/**
 * How long the turn has lasted, in seconds.
 * @param {Pick<TableState, 'serverAhead_s'>} state
 * @param {Pick<Snapshot, 'turnBegan'>} snapshot
 * @param {number} now_ms
 */
export const elapsed_s = ({ serverAhead_s }, { turnBegan }, now_ms) =>
  Math.max(0, now_ms / 1000 + serverAhead_s - turnBegan);

/**
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {Snapshot} snapshot
 */
export function startClock(state, section, snapshot) {
  const clock = $('.clock', section);
  if (!clock || snapshot.clock === null) return;
  clock.style.setProperty('--turn-time', `${snapshot.clock}s`);
  clock.style.setProperty('--spent', `${-elapsed_s(state, snapshot, Date.now())}s`);
}
