// Sentences about a table that several parts of the page use. What the reader did or gets is told to them as "you".
import { _, names, percent } from '../shared/texts.js';

/** @typedef {import('../connection/messages.js').Broke} Broke */
/** @typedef {import('../connection/messages.js').Doubt} Doubt */
/** @typedef {import('../connection/messages.js').View} View */

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
 * How a seat is labelled for the reader, whose own seat is `me`.
 * @param {View} view
 * @param {number} seat
 * @param {number | null} me
 */
export const labelOf = (view, seat, me) => (seat === me ? _('You') : nameOf(view, seat));

/**
 * @param {View} view
 * @param {Broke} broke
 * @param {number | null} me
 */
export const mistake = (view, { card, seat }, me) =>
  seat === me
    ? _('The first mistake: card %(n)s, placed by you.', { n: card + 1 })
    : _('The first mistake: card %(n)s, placed by %(name)s.', { n: card + 1, name: nameOf(view, seat) });

/**
 * What came of a doubt: in one line what matters most, then the rest.
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 * @returns {string[]}
 */
export function verdictLines(view, doubt, me) {
  const { seat, arrow, row, first_fall: fall, broke } = doubt;
  if (fall === null || !broke) return [rightRow(view, doubt, me)];
  const doubter = nameOf(view, seat);
  const colour = names().colours[arrow];
  const share = (/** @type {number} */ at) => row[at]?.shares[arrow] ?? 0;
  const belonged = row.filter((_card, at) => at !== broke.card && share(at) < share(broke.card)).length + 1;
  const drop = { doubter, colour, a: fall, b: fall + 1, before: percent(share(fall - 1)), after: percent(share(fall)) };
  return [
    seat === me
      ? _(
          'You doubted and were right: from card %(a)s to card %(b)s, %(colour)s drops from %(before)s to %(after)s.',
          drop,
        )
      : _(
          '%(doubter)s doubted and was right: from card %(a)s to card %(b)s, %(colour)s drops from %(before)s to %(after)s.',
          drop,
        ),
    [
      mistake(view, broke, me),
      ...(belonged === broke.card + 1 // it lies there now, because of cards that came later
        ? []
        : [_('With %(share)s it belonged at place %(n)s.', { share: percent(share(broke.card)), n: belonged })]),
      seat === me
        ? _('You take the %(colour)s arrow.', { colour })
        : _('%(name)s takes the %(colour)s arrow.', { name: doubter, colour }),
    ].join(' '),
  ];
}

/**
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 */
function rightRow(view, { seat, arrow, taker }, me) {
  const values = { doubter: nameOf(view, seat), colour: names().colours[arrow], taker: nameOf(view, taker) };
  if (seat === me)
    return _('You doubted, but %(colour)s never drops. %(taker)s placed the last card and takes the arrow.', values);
  if (taker === me)
    return _('%(doubter)s doubted, but %(colour)s never drops. You placed the last card and take the arrow.', values);
  return _(
    '%(doubter)s doubted, but %(colour)s never drops. %(taker)s placed the last card and takes the arrow.',
    values,
  );
}

/**
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 */
export const verdict = (view, doubt, me) => verdictLines(view, doubt, me).join(' ');
