// The live region: what happens, in the server's words. An open dialog hides the rest of the page from screen readers,
// so every dialog has a region of its own.
import { $, $$ } from '../shared/dom.js';
import { isMe } from './state.js';

const LINES = 40;
for (const dialog of $$('dialog')) dialog.append($('.live').cloneNode());

export function say(...lines) {
  const region = $('dialog[open] > .live') ?? $('.live');
  for (const line of lines) {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    region.append(paragraph);
  }
  while (region.children.length > LINES) region.firstElementChild.remove();
}

// The server's paragraphs, to us as "you".
export function sayAll(html) {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  say(...$$('p', holder.content).map((line) => (isMe(line.dataset.seat) ? line.dataset.you : line.textContent)));
}
