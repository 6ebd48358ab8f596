// The live region: what happens, in the server's words, for screen readers. An open dialog hides the rest of the page
// from them, so every dialog has a region of its own.
import { $, $$, the } from '../shared/dom.js';
import { isMe } from './state.js';

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
 * Says the server's paragraphs; what we did ourselves is said to us as "you".
 * @param {TableState} state
 * @param {string} html
 */
export function sayEvent(state, html) {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const lines = $$('p', holder.content).map(({ dataset, textContent }) =>
    dataset.seat !== undefined && isMe(state, Number(dataset.seat)) ? dataset.you : textContent,
  );
  say(...lines.map((line) => line ?? ''));
}
