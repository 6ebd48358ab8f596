// Cards: their pictures, and arrow cards.
import { dress } from '../shared/pictures.js';
import { _, names } from '../shared/texts.js';
import { arrow, h } from './elements.js';

/** @typedef {import('../connection/messages.js').Colour} Colour */

const WIDTH = 630; // of a card's picture
const HEIGHT = 880;

/**
 * @param {string} card its address
 * @param {string} told what it is, in words
 * @param {string} [className]
 */
export function cardImage(card, told, className = 'card') {
  const image = h('img', { class: className, alt: told, width: WIDTH, height: HEIGHT, draggable: 'false' });
  dress(image, card);
  return image;
}

/** @param {Colour} colour */
export const arrowCard = (colour) =>
  h(
    'div',
    { class: 'arrow-card' },
    arrow(colour),
    h('b', {}, names().colours[colour]),
    h('small', {}, `${_('least')} → ${_('most')}`),
  );

/** @param {Colour} colour */
export const wonArrow = (colour) =>
  h(
    'li',
    { class: 'mini' },
    arrow(colour),
    h('span', { class: 'hide' }, _('%(colour)s arrow', { colour: names().colours[colour] })),
  );
