// Sentences about a table: verdicts, events for the live region, awards. The reader is called "you".
import { h } from '../shared/dom.js';
import { momentPage } from '../shared/server.js';
import { _, names, percent } from '../shared/texts.js';

const DAY_S = 86400;

/** @typedef {import('../table/messages.js').Broke} Broke */
/** @typedef {import('../table/messages.js').Doubt} Doubt */
/** @typedef {import('../table/messages.js').Happened} Happened */
/** @typedef {import('../table/messages.js').TableEvent} TableEvent */
/** @typedef {import('../table/messages.js').View} View */

/**
 * The name of the player in this seat.
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
 * The label of a seat for the reader, whose own seat is `me`.
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
 * Who gets the arrow, in a few words; for the player who erred, that they did.
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 */
export function headline(view, { seat, broke, taker }, me) {
  if (me !== null && taker === me) return _('The arrow is yours!');
  if (me !== null && (broke ? broke.seat : seat) === me) return _('Fooled!');
  return _('%(name)s takes the arrow', { name: nameOf(view, taker) });
}

/** @type {Record<import('../table/messages.js').Colour, (name: string | null) => string>} null: the reader */
const TAKES = {
  red: (name) => (name === null ? _('You take the red arrow.') : _('%(name)s takes the red arrow.', { name })),
  yellow: (name) => (name === null ? _('You take the yellow arrow.') : _('%(name)s takes the yellow arrow.', { name })),
  green: (name) => (name === null ? _('You take the green arrow.') : _('%(name)s takes the green arrow.', { name })),
  blue: (name) => (name === null ? _('You take the blue arrow.') : _('%(name)s takes the blue arrow.', { name })),
};

/** @type {typeof TAKES} */
const PUTS_BACK = {
  red: (name) => (name === null ? _('You put back the red arrow.') : _('%(name)s puts back the red arrow.', { name })),
  yellow: (name) =>
    name === null ? _('You put back the yellow arrow.') : _('%(name)s puts back the yellow arrow.', { name }),
  green: (name) =>
    name === null ? _('You put back the green arrow.') : _('%(name)s puts back the green arrow.', { name }),
  blue: (name) =>
    name === null ? _('You put back the blue arrow.') : _('%(name)s puts back the blue arrow.', { name }),
};

/**
 * What a card seemed to have, and what it has.
 * @param {import('../table/messages.js').Illusion} illusion
 */
export function illusionTold({ arrow, share, neighbour }) {
  const values = { seen: percent(neighbour), colour: names().colours[arrow], share: percent(share) };
  return share < neighbour
    ? _('It seemed to have at least %(seen)s %(colour)s. It has %(share)s.', values)
    : _('It seemed to have at most %(seen)s %(colour)s. It has %(share)s.', values);
}

/**
 * The place, counted from 1, where the card that made a row wrong belongs among the others as they lie: where the fewest of
 * them are on its wrong side. Other cards may lie wrong, too, so its rank may be another one.
 * @param {Doubt} doubt
 * @param {Broke} broke
 */
export function placeOfBroke({ arrow, row }, { card }) {
  const own = row[card]?.shares[arrow] ?? 0;
  const others = row.filter((_other, at) => at !== card).map(({ shares }) => shares[arrow]);
  const wrong = (/** @type {number} */ place) =>
    others.filter((share, at) => (at < place ? share > own : share < own)).length;
  return [...row.keys()].reduce((best, place) => (wrong(place) < wrong(best) ? place : best)) + 1;
}

/**
 * The verdict on a doubt, the most important line first. Cards are named by their shares, which stand below them.
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 * @returns {string[]}
 */
export function verdictLines(view, doubt, me) {
  const { seat, arrow, row, first_fall: fall, broke } = doubt;
  if (fall === null || !broke) return [rightRow(view, doubt, me)];
  const doubter = nameOf(view, seat);
  const share = (/** @type {number} */ at) => percent(row[at]?.shares[arrow] ?? 0);
  const drop = { doubter, colour: names().colours[arrow], before: share(fall - 1), after: share(fall) };
  const wrong = { name: nameOf(view, broke.seat), share: share(broke.card) };
  return [
    seat === me
      ? _('You doubted and were right: %(colour)s drops from %(before)s to %(after)s.', drop)
      : _('%(doubter)s doubted and was right: %(colour)s drops from %(before)s to %(after)s.', drop),
    [
      broke.seat === me
        ? _('The first mistake: your %(share)s.', wrong)
        : _('The first mistake: %(name)s’s %(share)s.', wrong),
      ...whereItBelongs(doubt, broke),
      TAKES[arrow](seat === me ? null : doubter),
    ].join(' '),
  ];
}

/**
 * Between which cards the one that made the row wrong belongs; nothing if it lies there by now, as later cards shifted it.
 * @param {Doubt} doubt
 * @param {Broke} broke
 */
function whereItBelongs(doubt, broke) {
  const place = placeOfBroke(doubt, broke);
  if (place === broke.card + 1) return [];
  const others = doubt.row.filter((_other, at) => at !== broke.card);
  const [left, right] = [others[place - 2], others[place - 1]];
  const before = percent(left?.shares[doubt.arrow] ?? 0);
  const after = percent(right?.shares[doubt.arrow] ?? 0);
  if (!left) return [_('It belonged before %(after)s.', { after })];
  if (!right) return [_('It belonged after %(before)s.', { before })];
  return [_('It belonged between %(before)s and %(after)s.', { before, after })];
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

/**
 * A sentence, and its version for the player who did it.
 * @typedef {object} Line
 * @property {string} text
 * @property {number} [seat]
 * @property {string} [you]
 */

/**
 * An event in words, for the live region, as lines.
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
    case 'renamed':
    case 'sat-down':
      return [{ text: sitting(event) }];
    case 'stood-up':
      return [{ text: _('Seat %(n)s is free again.', { n: seat + 1 }) }];
    case 'arranged':
      return arranged(event);
    case 'went-away':
      return [{ text: leaving(nameOf(view, seat), event.why), seat, you: _('You are away; a bot plays for you.') }];
    case 'came-back':
      return [{ text: _('%(name)s is back.', { name: nameOf(view, seat) }), seat, you: _('You are back.') }];
    case 'dealt':
      return [{ text: _('The cards are dealt.') }];
    case 'played-again':
      return [{ text: _('%(name)s wants another game.', { name: nameOf(view, seat) }) }];
    case 'promised':
      return [{ text: _('%(name)s has a seat in the next game.', { name: event.name ?? '' }) }];
    case 'sent-away':
      return [{ text: sentAway(seat, nameOf(view, seat)) }];
    case 'locked':
      return [{ text: event.locked ? _('The table is locked: nobody new sits down.') : _('The table is open again.') }];
    case 'closed':
      return [{ text: _('This table is closed') }];
    default:
      return [];
  }
}

/**
 * Whether turns take days: players look in now and then.
 * @param {View} view
 */
export const isSlow = ({ clock }) => clock !== null && clock >= DAY_S;

/**
 * How long a turn may take.
 * @param {number | null} clock seconds
 */
export function perTurn(clock) {
  if (clock === null) return _('No clock.');
  if (clock < DAY_S) return _('%(seconds)s seconds a turn.', { seconds: clock });
  return clock === DAY_S ? _('One day a turn.') : _('Three days a turn.');
}

/**
 * @param {TableEvent} event
 * @returns {Line[]}
 */
const arranged = ({ variant, penalty, guesses, clock }) => [
  { text: names().variantSentences[variant ?? ''] ?? '' },
  ...(penalty ? [{ text: names().penaltySentences[penalty] ?? '' }] : []),
  ...(guesses === false ? [{ text: _('Nobody guesses at the next card.') }] : []),
  { text: perTurn(clock ?? null) },
];

/** @param {TableEvent} event */
function sitting({ name = '', level, instead_of: former }) {
  if (former) return _('%(name)s plays on for %(former)s.', { name, former });
  return level ? _('%(name)s, a bot, sits down.', { name }) : _('%(name)s sits down.', { name });
}

/**
 * @param {string} name
 * @param {string} [why]
 */
function leaving(name, why) {
  if (why === 'clock') return _('%(name)s let the clock run out; a bot stands in.', { name });
  if (why === 'freed') return _('The seat of %(name)s is free; a bot stands in.', { name });
  return _('%(name)s has left; a bot stands in.', { name });
}

/**
 * @param {number} seat
 * @param {string} name empty before the game, where the chair is free by then
 */
const sentAway = (seat, name) =>
  name ? _('%(name)s was asked to leave.', { name }) : _('Seat %(n)s is free again.', { n: seat + 1 });

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
        ...(event.by === 'clock'
          ? [outOfTime(view, event), lies(each.gap)]
          : [placed(view, each.seat, each.gap, event.cards_in_row ?? 0)]),
        ...(each.next_card === null ? [{ text: _('The deck is empty') }] : []),
        turn(view, each.to_play),
      ];
    case 'row-doubted':
      return event.by === 'clock' ? [outOfTime(view, event), ...doubted(view, each).slice(1)] : doubted(view, each);
    case 'arrow-awarded':
    case 'arrow-returned':
      return [arrowMoved(view, each)];
    case 'game-ended':
      return [ended(view, each.winners)];
  }
}

/**
 * The clock ran out: what was done then was not done by the player.
 * @param {View} view
 * @param {TableEvent} event
 * @returns {Line}
 */
export function outOfTime(view, { seat = 0, entry }) {
  const name = nameOf(view, seat);
  return entry === 'doubted'
    ? {
        text: _('Time! The row was doubted for %(name)s.', { name }),
        seat,
        you: _('Time! The row was doubted for you.'),
      }
    : { text: _('Time! A card was placed for %(name)s.', { name }), seat, you: _('Time! A card was placed for you.') };
}

/** @param {number} gap */
const lies = (gap) => ({ text: _('It lies at place %(n)s.', { n: gap + 1 }) });

/**
 * @param {View} view
 * @param {number} seat
 * @returns {Line}
 */
const turn = (view, seat) => ({
  text: _('%(name)s’s turn.', { name: nameOf(view, seat) }),
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
  const told = event === 'arrow-awarded' ? TAKES : PUTS_BACK;
  return { text: told[arrow](nameOf(view, seat)), seat, you: told[arrow](null) };
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

/**
 * An award of a finished game.
 * @typedef {{ award: string, seat: number, figure: number, round: number, turn: number }} Award
 */

/**
 * An award, as a link to its moment.
 * @param {View} view
 * @param {Award} award
 * @param {number | null} me
 */
export function awardLine(view, { award, seat, figure, round, turn }, me) {
  const [name, share] = [labelOf(view, seat, me), percent(Math.round(100 * figure))];
  const told = {
    'boldest-doubt': _('%(name)s: the boldest right doubt, of a row that seemed %(share)s likely to be wrong.', {
      name,
      share,
    }),
    'worst-illusion': _('%(name)s: the worst illusion (points off: %(points)s).', { name, points: figure }),
    'sharpest-placement': _(
      '%(name)s: the sharpest placement, which an ordinary eye gets right %(share)s of the time.',
      { name, share },
    ),
  }[award];
  return told ? h('li', {}, h('a', { href: momentPage(view.table, round, turn) }, told)) : null;
}
