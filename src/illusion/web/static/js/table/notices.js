// Notices of a table's page: toasts for errors, a banner for the connection, yes-or-no questions, and live regions for screen
// readers.
import { $, $$, required } from '../shared/dom.js';
import { apiTable, request } from '../shared/server.js';
import { _ } from '../shared/texts.js';
import { isMe } from './state.js';

/** @typedef {import('../draw/words.js').Line} Line */
/** @typedef {import('./state.js').TableState} TableState */

const TOAST_MS = 5000;
const MAX_LINES = 40; // in a live region

/**
 * @param {TableState} state
 * @param {string} text
 */
export function toast(state, text) {
  const element = required('#toast', HTMLElement);
  show(element, text);
  clearTimeout(state.timers.toast);
  state.timers.toast = setTimeout(() => hide(element), TOAST_MS);
}

/**
 * @param {TableState} state
 * @param {string} link
 */
export async function copy(state, link) {
  try {
    await navigator.clipboard.writeText(link);
    toast(state, _('Link copied.'));
  } catch {
    prompt(_('Copy the link'), link); // the only way without HTTPS
  }
}

/**
 * Shown until `hide_ms` have passed, or until another text is shown.
 * @param {TableState} state
 * @param {string} text
 * @param {number} [hide_ms]
 */
export function banner(state, text, hide_ms) {
  const element = required('#banner', HTMLElement);
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
  const dialog = required(`#${name}`, HTMLDialogElement);
  const answered = () => {
    if (dialog.returnValue === 'yes') then();
  };
  dialog.returnValue = '';
  dialog.showModal();
  dialog.addEventListener('close', answered, { once: true });
}

/**
 * Shows an element, if possible as a popover, which is above an open dialog.
 * @param {HTMLElement} element
 * @param {string} text
 */
function show(element, text) {
  element.textContent = text;
  element.hidden = false;
  element.showPopover?.();
}

export const hideBanner = () => hide(required('#banner', HTMLElement));

/** @param {HTMLElement} element */
function hide(element) {
  element.hidden = true;
  element.hidePopover?.();
}

/** Adds a live region to each dialog: those outside of an open modal dialog are not announced. */
export function addLiveRegions() {
  for (const dialog of $$('dialog')) dialog.append(required('.live', HTMLElement).cloneNode());
}

/** @param {string[]} lines */
export function say(...lines) {
  const region = $('dialog[open] > .live') ?? required('.live', HTMLElement);
  for (const line of lines) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    region.append(paragraph);
  }
  while (region.children.length > MAX_LINES) region.firstElementChild?.remove();
}

/**
 * Announces sentences, in their version for the player who did it.
 * @param {TableState} state
 * @param {Line} line
 */
export const toldTo = (state, { text, seat, you }) => (you && seat !== undefined && isMe(state, seat) ? you : text);

/**
 * @param {TableState} state
 * @param {Line[]} lines
 */
export const sayLines = (state, lines) => say(...lines.map((line) => toldTo(state, line)));

/**
 * Sends a request to the table's API, and shows a refusal in the server's words; not that of a stale move, since the newer
 * view is on its way.
 * @param {TableState} state
 * @param {'GET' | 'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path below the table's own
 * @param {unknown} [body]
 * @param {{ quiet?: boolean }} [options] quiet: a refusal is not shown
 * @returns {Promise<Record<string, any> | null>} the answer, if there is one
 */
export async function send(state, method, path, body, { quiet = false } = {}) {
  const { status, answer, refusal } = await request(method, apiTable(state.table, path), body);
  if (status >= 200 && status < 300) return answer;
  if (!quiet && answer.code !== 'stale') toast(state, refusal);
  return null;
}
