// After a reveal: what each bot took the shares to be, below the true ones.
import { $, $$, the } from '../shared/dom.js';
import { apiTable } from '../shared/urls.js';
import { texts } from '../table/notices.js';
import { nameAt, seatElement } from '../table/reactions.js';

/** @typedef {import('../table/messages.js').Believed} Believed */
/** @typedef {import('../table/state.js').TableState} TableState */

const dialog = () => the('#reveal', HTMLDialogElement);
const button = () => the('[data-do=believed]', HTMLButtonElement, dialog());

/**
 * Shows it, or hides it again.
 * @param {TableState} state
 */
export async function toggleBelieved(state) {
  const shown = $$('.saw', dialog());
  button().setAttribute('aria-pressed', String(!shown.length));
  if (shown.length) {
    for (const line of shown) line.remove();
    return;
  }
  const response = await fetch(apiTable(state.table, 'believed')).catch(() => null);
  /** @type {{ believed: Believed[] }} */
  const { believed } = response?.ok ? await response.json() : { believed: [] };
  const cards = $$('.turned', dialog());
  for (const { seat, shares } of believed) {
    if (shares.length !== cards.length) continue; // of another row
    for (const [at, share] of shares.entries()) cards[at]?.append(line(seat, share));
  }
}

export function bindBelieved() {
  dialog().addEventListener('shown', () => {
    button().hidden = !$('.player .bot-face');
    button().setAttribute('aria-pressed', 'false');
  });
  dialog().addEventListener('close', () => {
    button().hidden = true;
  });
}

/**
 * @param {number} seat
 * @param {number} share
 */
function line(seat, share) {
  const paragraph = document.createElement('p');
  paragraph.className = 'saw';
  const face = $('.bot-face', seatElement(seat) ?? document)?.cloneNode();
  if (face instanceof HTMLImageElement) {
    face.alt = nameAt(seat) ?? '';
    paragraph.append(face);
  }
  paragraph.append(texts().percent.replace('{share}', String(share)));
  return paragraph;
}
