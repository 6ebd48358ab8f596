// Looking closely: one card large, or two beside each other.
import { $, $$ } from '../shared/dom.js';
import { doing } from '../shared/actions.js';
import { painted } from '../shared/pictures.js';

const zoom = $('#zoom');
export let comparing = null; // the card held for comparing

export function look(card) {
  const pair = [...new Set([comparing ?? card, card])];
  const holder = $('.zoomed');
  holder.classList.toggle('pair', pair.length > 1);
  holder.replaceChildren(...pair.map((address) => {
    const image = new Image(630, 880);
    image.className = 'card';
    image.src = painted(`/cards/${address}.svg`);
    image.alt = $(`[data-look="${address}"] img`)?.alt ?? '';
    return image;
  }));
  zoom.dataset.card = card;
  $('[data-do=compare]', zoom).hidden = pair.length > 1;
  compare(null);
  zoom.showModal();
}

export function compare(card) {
  comparing = card;
  $('#holding').hidden = !card;
  for (const element of $$('.look')) element.classList.toggle('held', element.dataset.look === card);
}

zoom.addEventListener('click', ({ target }) => { if (!target.closest('.buttons')) zoom.close(); });
doing.compare = () => { zoom.close(); compare(zoom.dataset.card); };
doing['stop-compare'] = () => compare(null);
