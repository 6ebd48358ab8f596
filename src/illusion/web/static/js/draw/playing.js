// A game being played: the desk with the colour, the next card and what can be done, and the row.
import { _, names } from '../shared/texts.js';
import { cardImage } from './cards.js';
import { arrow, h, seatShape } from './elements.js';
import { playerList } from './players.js';
import { nameOf, verdict } from './sentences.js';

/** @typedef {import('../table/messages.js').Colour} Colour */
/** @typedef {import('../table/messages.js').View} View */

/** @param {View} view */
export function playing(view) {
  const colour = names().colours[view.arrow ?? 'red'];
  return [
    h('h1', { class: 'hide' }, _('Round %(round)s', { round: view.round })),
    playerList(view),
    h('div', { class: 'desk' }, view.arrow && colourBar(view.arrow), acts(view, colour), nextCard(view), choice()),
    h('div', { class: 'board' }, row(view, colour)),
  ];
}

/**
 * Which colour counts, and where there is more of it.
 * @param {Colour} colour
 */
export const colourBar = (colour) =>
  h(
    'p',
    { class: 'colour-bar', 'data-arrow': colour },
    arrow(colour),
    h('span', {}, _('least %(colour)s', { colour: names().colours[colour] })),
    h('span', { class: 'far' }, _('most')),
  );

/**
 * @param {View} view
 * @param {string} colour its name
 */
function acts(view, colour) {
  const player = view.players.find(({ seat }) => seat === view.to_play);
  const name = player?.name ?? '';
  const hasClock = view.clock !== null && player && player.level === null && !player.away;
  return h(
    'div',
    { class: 'acts' },
    h(
      'h2',
      {
        class: 'turn',
        tabindex: -1,
        'data-yours': _('Your turn'),
        'data-handed': _('%(name)s, your turn', { name }),
      },
      _('%(name)s is to play', { name }),
    ),
    hasClock &&
      h(
        'p',
        { class: 'clock' },
        h('span', { class: 'hide' }, _('%(seconds)s seconds a turn.', { seconds: view.clock ?? 0 })),
      ),
    h('p', { class: 'happened' }, happened(view, name)),
    h('p', { class: 'handed-only hint' }, _('Hand the device over.')),
    h('p', { class: 'mine-only hint' }, hint(view, colour)),
    h(
      'button',
      { type: 'button', class: 'button doubt', id: 'doubt', 'data-do': 'ask-doubt', disabled: true },
      _('I don’t believe it'),
    ),
    h(
      'p',
      { class: 'facts' },
      h(
        'span',
        {},
        _('Round %(round)s', { round: view.round }),
        view.end.arrows_to_win === null && ` / ${view.end.rounds}`,
      ),
      h('span', {}, _('Cards left: %(num)s', { num: view.cards_left })),
      view.last_doubt && lastRowButton(),
    ),
  );
}

export const lastRowButton = () =>
  h('button', { type: 'button', class: 'link', id: 'again', 'data-do': 'reveal' }, _('Show the last row again'));

/**
 * @param {View} view
 * @param {string} name of the seat at turn
 */
function happened(view, name) {
  if (view.last_placed_by !== null)
    return _('%(name)s placed a card and believes the row.', { name: nameOf(view, view.last_placed_by) });
  return view.last_doubt ? verdict(view, view.last_doubt) : _('%(name)s begins.', { name });
}

/**
 * @param {View} view
 * @param {string} colour its name
 */
function hint({ legal }, colour) {
  if (!legal.gaps.length) return _('No cards left: you have to doubt the row.');
  if (!legal.doubt) return _('More %(colour)s or less? Place this card right or left of the first one.', { colour });
  return _('Place this card where its share of %(colour)s fits, or doubt the row.', { colour });
}

/**
 * The next card, between its would-be neighbours once a gap is chosen.
 * @param {View} view
 */
const nextCard = (view) =>
  h(
    'div',
    { class: 'trio' },
    h('span', { class: 'neighbour', 'data-side': 'left', hidden: true }),
    h(
      'span',
      { class: 'next-card' },
      view.next_card === null
        ? h('span', { class: 'no-card', id: 'next' }, _('The deck is empty'))
        : h(
            'button',
            { type: 'button', class: 'look', id: 'next', 'data-look': view.next_card },
            cardImage(view.next_card, _('The next card')),
          ),
    ),
    h('span', { class: 'neighbour', 'data-side': 'right', hidden: true }),
  );

const choice = () =>
  h(
    'div',
    { class: 'confirm', hidden: true },
    h(
      'button',
      { type: 'button', class: 'button step', 'data-do': 'gap-before', 'aria-label': _('One gap to the left') },
      '‹',
    ),
    h('button', { type: 'button', class: 'button primary', 'data-do': 'place' }, _('Place here')),
    h(
      'button',
      { type: 'button', class: 'button step', 'data-do': 'gap-after', 'aria-label': _('One gap to the right') },
      '›',
    ),
    h(
      'button',
      { type: 'button', class: 'button', 'data-do': 'take-back', 'aria-label': _('Take it back') },
      h('span', { class: 'long' }, _('Take it back')),
      h('span', { class: 'short' }, '✕'),
    ),
  );

/**
 * @param {View} view
 * @param {string} colour its name
 */
function row(view, colour) {
  const last = view.row.length;
  return h(
    'ol',
    {
      class: 'row',
      id: 'row',
      role: 'list',
      'aria-label': _('The row: least %(colour)s next to the arrow, most at the far end', { colour }),
    },
    view.row.map((card, at) => cell(view, card, at)),
    h('li', { class: 'cell far-end' }, gap(last, _('Place at the far end, after card %(n)s', { n: last }))),
  );
}

/**
 * A card with the gap before it, and who laid it.
 * @param {View} view
 * @param {string} card
 * @param {number} at
 */
function cell(view, card, at) {
  const seat = view.placed_by[at] ?? null;
  const name = seat === null ? '' : nameOf(view, seat);
  const told =
    seat === null
      ? _('Card %(n)s of the row, the first one placed', { n: at + 1 })
      : _('Card %(n)s of the row, placed by %(name)s', { n: at + 1, name });
  const before =
    at === 0
      ? _('Place next to the arrow, before card 1')
      : _('Place between card %(a)s and card %(b)s', { a: at, b: at + 1 });
  const image = cardImage(card, told);
  image.dataset.card = card;
  return h(
    'li',
    { class: 'cell' },
    gap(at, before),
    h('span', { class: 'echo', 'aria-hidden': 'true' }),
    h('button', { type: 'button', class: 'look', 'data-look': card, tabindex: at ? -1 : 0 }, image),
    h(
      'span',
      { class: 'owner', 'aria-hidden': 'true' },
      seat === null ? _('first card') : [seatShape(seat), h('span', {}, name)],
    ),
    h('span', { class: 'twin', 'data-twin': at + 1, 'aria-hidden': 'true' }),
  );
}

/**
 * @param {number} at
 * @param {string} told
 */
const gap = (at, told) =>
  h('button', { type: 'button', class: 'gap', 'data-gap': at, disabled: true, tabindex: -1, 'aria-label': told });
