// After a reveal: what each bot took the shares to be, below the true ones.

import { nameOf } from '../draw/sentences.js';
import { seatElement } from '../effects/reactions.js';
import { $, $$, the } from '../shared/dom.js';
import { percent } from '../shared/texts.js';
import { apiTable } from '../shared/urls.js';

/** @typedef {import('../connection/messages.js').Believed} Believed */
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
    for (const [at, share] of shares.entries()) cardAt(cards, at)?.append(line(state, seat, share));
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
 * The cards may lie in their right order.
 * @param {HTMLElement[]} cards
 * @param {number} at
 */
const cardAt = (cards, at) => cards.find((card) => Number(card.dataset.at) === at);

/**
 * @param {TableState} state
 * @param {number} seat
 * @param {number} share
 */
function line(state, seat, share) {
  const paragraph = document.createElement('p');
  paragraph.className = 'saw';
  const face = $('.bot-face', seatElement(seat) ?? document)?.cloneNode();
  if (face instanceof HTMLImageElement) {
    face.alt = nameOf(state.view, seat);
    paragraph.append(face);
  }
  paragraph.append(percent(share));
  return paragraph;
}
