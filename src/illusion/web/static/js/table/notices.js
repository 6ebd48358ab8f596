// Short notices over the page: a toast for what went wrong, a banner for the connection, a question with yes and no.
import { the } from '../shared/dom.js';

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
