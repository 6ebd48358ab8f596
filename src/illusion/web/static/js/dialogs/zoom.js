// A card seen large, or two cards next to each other.
import { cardImage } from '../draw/cards.js';
import { colourBar } from '../draw/playing.js';
import { $, $$, the } from '../shared/dom.js';

/** @typedef {import('../table/state.js').TableState} TableState */

const dialog = () => the('#zoom', HTMLDialogElement);

/**
 * @param {TableState} state
 * @param {string} card
 */
export function look(state, card) {
  const cards = [...new Set([state.comparing ?? card, card])];
  const holder = the('.zoomed', HTMLElement);
  holder.classList.toggle('pair', cards.length > 1);
  holder.replaceChildren(...cards.map(picture));
  $('.colour-bar', dialog())?.remove();
  if (state.view.arrow) holder.before(colourBar(state.view.arrow));
  state.zoomed = card;
  the('[data-do=compare]', HTMLButtonElement, dialog()).hidden = cards.length > 1;
  compare(state, null);
  dialog().showModal();
}

/**
 * The next card that is looked at is shown next to this one; null stops that.
 * @param {TableState} state
 * @param {string | null} card
 */
export function compare(state, card) {
  state.comparing = card;
  the('#holding', HTMLElement).hidden = !card;
  for (const element of $$('.look')) element.classList.toggle('held', element.dataset.look === card);
}

/** @param {TableState} state */
export function compareZoomed(state) {
  dialog().close();
  compare(state, state.zoomed);
}

export function bindZoom() {
  dialog().addEventListener('click', ({ target }) => {
    if (target instanceof Element && !target.closest('.buttons')) dialog().close();
  });
}

/** @param {string} card */
function picture(card) {
  const known = $(`[data-look="${card}"] img`);
  return cardImage(card, known instanceof HTMLImageElement ? known.alt : '');
}
