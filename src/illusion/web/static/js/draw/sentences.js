// Sentences about a table that several parts of the page use.
import { _, names, percent } from '../shared/texts.js';

/** @typedef {import('../table/messages.js').Broke} Broke */
/** @typedef {import('../table/messages.js').Doubt} Doubt */
/** @typedef {import('../table/messages.js').View} View */

/**
 * The name of whoever sits there.
 * @param {View} view
 * @param {number} seat
 */
export const nameOf = (view, seat) => view.players.find((player) => player.seat === seat)?.name ?? '';

/**
 * @param {View} view
 * @param {readonly number[]} seats
 */
export const namesOf = (view, seats) => seats.map((seat) => nameOf(view, seat)).join(', ');

/**
 * @param {View} view
 * @param {Broke} broke
 */
export const mistake = (view, { card, seat }) =>
  _('The first mistake: card %(n)s, placed by %(name)s.', { n: card + 1, name: nameOf(view, seat) });

/**
 * What came of a doubt: in one line what matters most, then the rest.
 * @param {View} view
 * @param {Doubt} doubt
 * @returns {string[]}
 */
export function verdictLines(view, { seat, arrow, row, first_fall: fall, broke, taker }) {
  const doubter = nameOf(view, seat);
  const colour = names().colours[arrow];
  const share = (/** @type {number} */ at) => row[at]?.shares[arrow] ?? 0;
  if (fall === null || !broke) {
    const values = { doubter, colour, taker: nameOf(view, taker) };
    return [
      _('%(doubter)s doubted, but %(colour)s never drops. %(taker)s placed the last card and takes the arrow.', values),
    ];
  }
  const belonged = row.filter((_card, at) => at !== broke.card && share(at) < share(broke.card)).length + 1;
  return [
    _(
      '%(doubter)s doubted and was right: from card %(a)s to card %(b)s, %(colour)s drops from %(before)s to %(after)s.',
      { doubter, colour, a: fall, b: fall + 1, before: percent(share(fall - 1)), after: percent(share(fall)) },
    ),
    [
      mistake(view, broke),
      _('With %(share)s it belonged at place %(n)s.', { share: percent(share(broke.card)), n: belonged }),
      _('%(name)s takes the %(colour)s arrow.', { name: doubter, colour }),
    ].join(' '),
  ];
}

/**
 * @param {View} view
 * @param {Doubt} doubt
 */
export const verdict = (view, doubt) => verdictLines(view, doubt).join(' ');
