// Short notices over the page: a toast for what went wrong, a banner for the connection, a question with yes and no.
import { $, $$, the } from '../shared/dom.js';
import { apiTable } from '../shared/server.js';
import { _ } from '../shared/texts.js';
import { isMe } from './state.js';

/** @typedef {import('../draw/words.js').Line} Line */
/** @typedef {import('./messages.js').Problem} Problem */
/** @typedef {import('./state.js').TableState} TableState */

const TOAST_MS = 5000;

/**
 * @param {TableState} state
 * @param {string} text
 */
export function toast(state, text) {
  const element = the('#toast', HTMLElement);
  show(element, text);
  clearTimeout(state.timers.toast);
  state.timers.toast = setTimeout(() => hide(element), TOAST_MS);
}

/**
 * Shown until `hide_ms` have passed, or until another text is shown.
 * @param {TableState} state
 * @param {string} text
 * @param {number} [hide_ms]
 */
export function banner(state, text, hide_ms) {
  const element = the('#banner', HTMLElement);
  show(element, text);
  clearTimeout(state.timers.banner);
  if (hide_ms !== undefined) state.timers.banner = setTimeout(() => hide(element), hide_ms);
}

/**
 * Opens a dialog and calls `then` if it is answered with yes.
 * @param {string} name
 * @param {() => void} then
 */
export function ask(name, then) {
  const dialog = the(`#${name}`, HTMLDialogElement);
  const answered = () => {
    if (dialog.returnValue === 'yes') then();
  };
  dialog.returnValue = '';
  dialog.showModal();
  dialog.addEventListener('close', answered, { once: true });
}

/**
 * As a popover it is above an open dialog, where the browser knows popovers.
 * @param {HTMLElement} element
 * @param {string} text
 */
function show(element, text) {
  element.textContent = text;
  element.hidden = false;
  element.showPopover?.();
}

/** @param {HTMLElement} element */
function hide(element) {
  element.hidden = true;
  element.hidePopover?.();
}

// What happens, in words, for screen readers. A region outside of an open modal dialog is not heard, so every dialog has one
// of its own.

const MAX_LINES = 40;

export function addLiveRegions() {
  for (const dialog of $$('dialog')) dialog.append(the('.live', HTMLElement).cloneNode());
}

/** @param {string[]} lines */
export function say(...lines) {
  const region = $('dialog[open] > .live') ?? the('.live', HTMLElement);
  for (const line of lines) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    region.append(paragraph);
  }
  while (region.children.length > MAX_LINES) region.firstElementChild?.remove();
}

/**
 * What we did ourselves is said to us as "you".
 * @param {TableState} state
 * @param {Line[]} lines
 */
export const sayLines = (state, lines) =>
  say(...lines.map(({ text, seat, you }) => (you && seat !== undefined && isMe(state, seat) ? you : text)));

// Requests to the table's API; a refusal is shown in the server's words.

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
