// An event in words, for the live region: a line for each thing that happened.
import { _, names, percent } from '../shared/texts.js';
import { mistake, nameOf, namesOf } from './sentences.js';

/** @typedef {import('../connection/messages.js').Happened} Happened */
/** @typedef {import('../connection/messages.js').TableEvent} TableEvent */
/** @typedef {import('../connection/messages.js').View} View */

/**
 * What is said, and what is said instead to the player who did it.
 * @typedef {object} Line
 * @property {string} text
 * @property {number} [seat]
 * @property {string} [you]
 */

/**
 * @param {View} view the table after the event
 * @param {TableEvent} event
 * @returns {Line[]}
 */
export const inWords = (view, event) => [
  ...entryInWords(view, event),
  ...event.happened.flatMap((each) => happenedInWords(view, event, each)),
];

/**
 * @param {View} view
 * @param {TableEvent} event
 * @returns {Line[]}
 */
function entryInWords(view, event) {
  const seat = event.seat ?? 0;
  switch (event.entry) {
    case 'sat-down': {
      const name = event.name ?? '';
      return [{ text: event.level ? _('%(name)s, a bot, sits down.', { name }) : _('%(name)s sits down.', { name }) }];
    }
    case 'stood-up':
      return [{ text: _('Seat %(n)s is free again.', { n: seat + 1 }) }];
    case 'arranged':
      return [
        { text: names().variantSentences[event.variant ?? ''] ?? '' },
        { text: event.clock ? _('%(seconds)s seconds a turn.', { seconds: event.clock }) : _('No clock.') },
      ];
    case 'went-away': {
      const name = nameOf(view, seat);
      const text =
        event.why === 'clock'
          ? _('%(name)s let the clock run out; a bot stands in.', { name })
          : _('%(name)s has left; a bot stands in.', { name });
      return [{ text, seat, you: _('You are away; a bot plays for you.') }];
    }
    case 'came-back':
      return [{ text: _('%(name)s is back.', { name: nameOf(view, seat) }), seat, you: _('You are back.') }];
    case 'dealt':
      return [{ text: _('The cards are dealt.') }];
    case 'played-again':
      return [{ text: _('A rematch begins.') }];
    case 'closed':
      return [{ text: _('This table is closed') }];
    default:
      return [];
  }
}

/**
 * @param {View} view
 * @param {TableEvent} event
 * @param {Happened} each
 * @returns {Line[]}
 */
function happenedInWords(view, event, each) {
  switch (each.event) {
    case 'round-started': {
      const colour = names().colours[each.arrow];
      return [
        { text: _('Round %(round)s. The arrow is %(colour)s.', { round: each.round, colour }) },
        turn(view, each.to_play),
      ];
    }
    case 'card-placed':
      return [
        placed(view, each.seat, each.gap, event.cards_in_row ?? 0),
        ...(each.next_card === null ? [{ text: _('The deck is empty') }] : []),
        turn(view, each.to_play),
      ];
    case 'row-doubted':
      return doubted(view, each);
    case 'arrow-awarded':
    case 'arrow-returned':
      return [arrowMoved(view, each)];
    case 'game-ended':
      return [ended(view, each.winners)];
  }
}

/**
 * @param {View} view
 * @param {number} seat
 * @returns {Line}
 */
const turn = (view, seat) => ({
  text: _('%(name)s is to play.', { name: nameOf(view, seat) }),
  seat,
  you: _('It is your turn.'),
});

/**
 * @param {View} view
 * @param {number} seat
 * @param {number} gap
 * @param {number} cardsInRow with the new one
 * @returns {Line}
 */
function placed(view, seat, gap, cardsInRow) {
  const name = nameOf(view, seat);
  if (gap === 0) {
    return {
      text: _('%(name)s places the card next to the arrow, before card 1.', { name }),
      seat,
      you: _('You place the card next to the arrow, before card 1.'),
    };
  }
  if (gap === cardsInRow - 1) {
    return {
      text: _('%(name)s places the card at the far end, after card %(n)s.', { name, n: gap }),
      seat,
      you: _('You place the card at the far end, after card %(n)s.', { n: gap }),
    };
  }
  return {
    text: _('%(name)s places the card between card %(a)s and card %(b)s.', { name, a: gap, b: gap + 1 }),
    seat,
    you: _('You place the card between card %(a)s and card %(b)s.', { a: gap, b: gap + 1 }),
  };
}

/**
 * @param {View} view
 * @param {Extract<Happened, { event: 'row-doubted' }>} doubt
 * @returns {Line[]}
 */
function doubted(view, { seat, arrow, row, first_fall: fall, broke }) {
  const shares = row.map((card) => percent(card.shares[arrow])).join(', ');
  const colour = names().colours[arrow];
  /** @type {Line[]} */
  const lines = [
    {
      text: _('%(name)s does not believe the row.', { name: nameOf(view, seat) }),
      seat,
      you: _('You do not believe the row.'),
    },
    { text: _('The %(colour)s in the row, from the arrow on: %(shares)s.', { colour, shares }) },
  ];
  if (fall === null) lines.push({ text: _('It never drops: the row is right.') });
  else {
    lines.push({ text: _('It drops from card %(a)s to card %(b)s: the row is wrong.', { a: fall, b: fall + 1 }) });
    if (broke)
      lines.push({ text: mistake(view, broke, null), seat: broke.seat, you: mistake(view, broke, broke.seat) });
  }
  return lines;
}

/**
 * @param {View} view
 * @param {Extract<Happened, { event: 'arrow-awarded' | 'arrow-returned' }>} moved
 * @returns {Line}
 */
function arrowMoved(view, { event, seat, arrow }) {
  const [name, colour] = [nameOf(view, seat), names().colours[arrow]];
  if (event === 'arrow-awarded') {
    return {
      text: _('%(name)s takes the %(colour)s arrow.', { name, colour }),
      seat,
      you: _('You take the %(colour)s arrow.', { colour }),
    };
  }
  return {
    text: _('%(name)s puts back the %(colour)s arrow.', { name, colour }),
    seat,
    you: _('You put back the %(colour)s arrow.', { colour }),
  };
}

/**
 * @param {View} view
 * @param {number[]} winners
 * @returns {Line}
 */
function ended(view, winners) {
  const [first = 0] = winners;
  if (winners.length > 1)
    return { text: _('The game is over. %(names)s win together.', { names: namesOf(view, winners) }) };
  return {
    text: _('The game is over. %(name)s wins.', { name: nameOf(view, first) }),
    seat: first,
    you: _('The game is over. You win.'),
  };
}
