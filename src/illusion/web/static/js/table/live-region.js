// What happens, in words, for screen readers. A region outside of an open modal dialog is not heard, so every dialog has one
// of its own.
import { $, $$, the } from '../shared/dom.js';
import { isMe } from './state.js';

/** @typedef {import('../draw/words.js').Line} Line */
/** @typedef {import('./state.js').TableState} TableState */

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
