// Requests to the table's API; a refusal is shown in the server's words.
import { _ } from '../shared/texts.js';
import { apiTable } from '../shared/urls.js';
import { toast } from '../table/notices.js';

/** @typedef {import('./messages.js').Problem} Problem */
/** @typedef {import('../table/state.js').TableState} TableState */

const failed = () => _('That did not reach the table. Try again.');

/**
 * The answer, or null if there was none or the request was refused.
 * @param {TableState} state
 * @param {'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path below the table's own
 * @param {unknown} [body]
 * @param {{ quiet?: boolean }} [options] quiet: a failure is not shown
 * @returns {Promise<Record<string, unknown> | null>}
 */
export async function send(state, method, path, body, { quiet = false } = {}) {
  /** @type {RequestInit} */
  const init = { method, headers: { 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  try {
    const response = await fetch(apiTable(state.table, path), init);
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const { code, detail, title } = /** @type {Problem} */ (answer);
    // A stale move needs no words: the newer table is already on its way.
    if (code !== 'stale' && !quiet) toast(state, detail || title || failed());
  } catch {
    if (!quiet) toast(state, failed());
  }
  return null;
}
