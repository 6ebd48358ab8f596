// A game being played: the desk with the colour, the next card and the buttons; and the row.

import { arrow, classes, h, seatShape } from '../shared/dom.js';
import { cardImage } from '../shared/pictures.js';
import { _, names } from '../shared/texts.js';
import { guessSlider } from './guesses.js';
import { playerList } from './players.js';
import { labelOf, nameOf, perTurn, verdict } from './words.js';

/** @typedef {import('../table/messages.js').Colour} Colour */
/** @typedef {import('../table/messages.js').View} View */

/**
 * @param {View} view
 * @param {number | null} me
 */
export function playing(view, me) {
  const colour = names().colours[view.arrow ?? 'red'];
  return [
    h('h1', { class: 'hide' }, _('Round %(round)s', { round: view.round })),
    playerList(view, me),
    h('div', { class: 'desk' }, view.arrow && colourBar(view.arrow), acts(view, colour, me), nextCard(view)),
    h('div', { class: 'board' }, row(view, colour, me)),
  ];
}

/**
 * The colour that counts, and the direction in which there is more of it.
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
 * @param {number | null} me
 */
function acts(view, colour, me) {
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
      _('%(name)s’s turn', { name }),
    ),
    hasClock && h('p', { class: 'clock' }, h('span', { class: 'hide' }, perTurn(view.clock))),
    h('p', { class: 'happened' }, happened(view, name, me)),
    h('p', { class: 'handed-only hint' }, _('Hand the device over.')),
    h('p', { class: 'mine-only hint' }, hint(view, colour)),
    h(
      'div',
      { class: 'doubt-or-guess' },
      h(
        'button',
        { type: 'button', class: 'button doubt', id: 'doubt', 'data-do': 'ask-doubt', disabled: true },
        _('I don’t believe it'),
      ),
      guessSlider(colour),
    ),
    choice(),
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
 * @param {number | null} me
 */
function happened(view, name, me) {
  const since = sinceMyTurn(view, me);
  if (since.length) return [_('Since your turn:'), ...since.map((move) => whereLaid(view, move)), replayButton()];
  if (view.last_placed_by !== null) {
    const [timedOut, by] = [view.last_by === 'clock', { name: nameOf(view, view.last_placed_by) }];
    if (view.last_placed_by === me)
      return timedOut ? _('Time! A card was placed for you.') : _('You placed a card and believe the row.');
    return timedOut
      ? _('Time! A card was placed for %(name)s.', by)
      : _('%(name)s placed a card and believes the row.', by);
  }
  if (view.last_doubt) return verdict(view, view.last_doubt, me);
  return view.to_play === me ? _('You begin.') : _('%(name)s begins.', { name });
}

/**
 * A laid card: its place in the row, and the seat that laid it.
 * @typedef {{ at: number, seat: number }} Laid
 */

/**
 * The cards that others laid since the reader's last turn, in order; empty unless it is the reader's turn.
 * @param {Pick<View, 'row' | 'laid' | 'placed_by' | 'to_play' | 'players'>} view
 * @param {number | null} me
 * @returns {Laid[]}
 */
export function sinceMyTurn({ row, laid, placed_by: placedBy, to_play: toPlay, players }, me) {
  if (me === null || toPlay !== me) return [];
  return row
    .map((_card, at) => ({ at, seat: placedBy[at] ?? -1, when: laid[at] ?? 0 }))
    .filter(({ when }) => when > Math.max(0, row.length - players.length))
    .filter(({ seat }) => seat >= 0 && seat !== me)
    .sort((a, b) => a.when - b.when)
    .map(({ at, seat }) => ({ at, seat }));
}

/**
 * @param {View} view
 * @param {Laid} laid
 */
const whereLaid = (view, { at, seat }) =>
  h(
    'span',
    { class: 'laid', title: nameOf(view, seat) },
    seatShape(seat),
    h('span', { class: 'hide' }, ` ${nameOf(view, seat)} ${at + 1} `),
  );

const replayButton = () => h('button', { type: 'button', class: 'link', 'data-do': 'replay' }, _('Show it'));

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
 * @param {number | null} me
 */
function row(view, colour, me) {
  const last = view.row.length;
  return h(
    'ol',
    {
      class: 'row',
      id: 'row',
      role: 'list',
      'aria-label': _('The row: least %(colour)s next to the arrow, most at the far end', { colour }),
    },
    view.row.map((card, at) => cell(view, card, at, me)),
    h('li', { class: 'cell far-end' }, gap(last, _('Place at the far end, after card %(n)s', { n: last }))),
  );
}

/**
 * The places of the cards that are new to the reader: what the others laid since their turn, or the last one.
 * @param {View} view
 * @param {number | null} me
 */
function newest(view, me) {
  const since = sinceMyTurn(view, me);
  if (since.length || view.row.length === 1) return since.map(({ at }) => at);
  return [view.laid.indexOf(view.row.length - 1)];
}

/**
 * A card with the gap before it, and who laid it.
 * @param {View} view
 * @param {string} card
 * @param {number} at
 * @param {number | null} me
 */
function cell(view, card, at, me) {
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
    { class: classes('cell', newest(view, me).includes(at) && 'new') },
    gap(at, before),
    h('span', { class: 'echo', 'aria-hidden': 'true' }),
    h('button', { type: 'button', class: 'look', 'data-look': card, tabindex: at ? -1 : 0 }, image),
    h(
      'span',
      { class: 'owner', 'aria-hidden': 'true' },
      seat !== null && seatShape(seat),
      h('span', {}, seat === null ? _('first card') : labelOf(view, seat, me)),
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
