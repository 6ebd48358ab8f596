import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sinceMyTurn } from '../../src/illusion/web/static/js/draw/playing.js';
import {
  headline,
  inWords,
  labelOf,
  mistake,
  nameOf,
  namesOf,
  placeOfBroke,
  verdict,
  verdictLines,
} from '../../src/illusion/web/static/js/draw/words.js';
import { doubtOf, openPage, RIGHT_ROW, viewOf, WRONG_ROW } from './tables.js';

/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').Happened} Happened */
/** @typedef {import('../../src/illusion/web/static/js/table/messages.js').TableEvent} TableEvent */

beforeEach(() => openPage());

/**
 * @param {string} entry
 * @param {Partial<TableEvent>} fields
 * @returns {TableEvent}
 */
const event = (entry, fields) => ({ seq: 11, entry, at: 1000, happened: [], ...fields });

/**
 * What everybody hears.
 * @param {string} entry
 * @param {Partial<TableEvent>} [fields]
 */
const heard = (entry, fields = {}) => inWords(viewOf(), event(entry, fields)).map(({ text }) => text);

/**
 * What the player who did it hears instead.
 * @param {string} entry
 * @param {Partial<TableEvent>} fields
 * @param {number} seat
 */
const heardAt = (seat, entry, fields) =>
  inWords(viewOf(), event(entry, fields)).map((line) => (line.you && line.seat === seat ? line.you : line.text));

test('people come and go', () => {
  assert.deepEqual(heard('sat-down', { seat: 1, name: 'Ben', level: null }), ['Ben sits down.']);
  assert.deepEqual(heard('sat-down', { seat: 1, name: 'Iris', level: 'keen' }), ['Iris, a bot, sits down.']);
  assert.deepEqual(heard('stood-up', { seat: 0 }), ['Seat 1 is free again.']);
  assert.deepEqual(heard('went-away', { seat: 1, why: 'clock' }), ['Ben let the clock run out; a bot stands in.']);
  assert.deepEqual(heard('went-away', { seat: 1, why: 'left' }), ['Ben has left; a bot stands in.']);
  assert.deepEqual(heardAt(1, 'went-away', { seat: 1, why: 'left' }), ['You are away; a bot plays for you.']);
  assert.deepEqual(heard('came-back', { seat: 0 }), ['Ana is back.']);
  assert.deepEqual(heardAt(0, 'came-back', { seat: 0 }), ['You are back.']);
});

test('the table is arranged, dealt, closed, played again', () => {
  const arranged = { variant: 'first-to-three', clock: 45 };
  assert.deepEqual(heard('arranged', arranged), ['First to three arrows wins.', '45 seconds a turn.']);
  assert.deepEqual(heard('arranged', { ...arranged, clock: null }), ['First to three arrows wins.', 'No clock.']);
  assert.deepEqual(heard('dealt'), ['The cards are dealt.']);
  assert.deepEqual(heard('played-again', { table: 'wxyz6789', seat: 1 }), ['Ben wants another game.']);
  assert.deepEqual(heard('closed'), ['This table is closed']);
  assert.deepEqual(heard('of-a-newer-server'), []);
});

test('who comes late, waits, is asked to leave; a locked table', () => {
  const late = { seat: 1, name: 'Zoe', level: null, instead_of: 'Otto' };
  assert.deepEqual(heard('sat-down', late), ['Zoe plays on for Otto.']);
  assert.deepEqual(heard('promised', { name: 'Zoe' }), ['Zoe has a seat in the next game.']);
  assert.deepEqual(heard('went-away', { seat: 1, why: 'freed' }), ['The seat of Ben is free; a bot stands in.']);
  assert.deepEqual(heard('sent-away', { seat: 1 }), ['Ben was asked to leave.']);
  assert.deepEqual(heard('sent-away', { seat: 7 }), ['Seat 8 is free again.']);
  assert.deepEqual(heard('locked', { locked: true }), ['The table is locked: nobody new sits down.']);
  assert.deepEqual(heard('locked', { locked: false }), ['The table is open again.']);
});

test('what the clock does is not what the player does', () => {
  /** @type {Happened} */
  const placed = { event: 'card-placed', seat: 1, card: 'a', gap: 2, next_card: 'b', to_play: 2 };
  const event = { seat: 1, by: /** @type {const} */ ('clock'), happened: [placed], cards_in_row: 5 };
  const then = ['It lies at place 3.', 'Cleo’s turn.'];
  assert.deepEqual(heard('placed', event), ['Time! A card was placed for Ben.', ...then]);
  assert.deepEqual(heardAt(1, 'placed', event), ['Time! A card was placed for you.', ...then]);
  /** @type {Happened} */
  const wrong = { event: 'row-doubted', ...WRONG_ROW };
  assert.equal(heardAt(1, 'doubted', { ...event, happened: [wrong] })[0], 'Time! The row was doubted for you.');
});

test('a round begins', () => {
  /** @type {Happened} */
  const started = { event: 'round-started', round: 2, arrow: 'blue', first_card: 'a', next_card: 'b', to_play: 2 };
  assert.deepEqual(heard('placed', { happened: [started] }), ['Round 2. The arrow is blue.', 'Cleo’s turn.']);
  assert.deepEqual(heardAt(2, 'placed', { happened: [started] }), ['Round 2. The arrow is blue.', 'It is your turn.']);
});

test('a card is placed: at the arrow, between two cards, at the far end', () => {
  for (const [gap, told, you] of /** @type {const} */ ([
    [
      0,
      'Ben places the card next to the arrow, before card 1.',
      'You place the card next to the arrow, before card 1.',
    ],
    [2, 'Ben places the card between card 2 and card 3.', 'You place the card between card 2 and card 3.'],
    [4, 'Ben places the card at the far end, after card 4.', 'You place the card at the far end, after card 4.'],
  ])) {
    /** @type {Happened} */
    const placed = { event: 'card-placed', seat: 1, card: 'a', gap, next_card: 'b', to_play: 2 };
    assert.deepEqual(heard('placed', { happened: [placed], cards_in_row: 5 }), [told, 'Cleo’s turn.']);
    assert.deepEqual(heardAt(1, 'placed', { happened: [placed], cards_in_row: 5 }), [you, 'Cleo’s turn.']);
  }
});

test('the last card of the deck is placed', () => {
  /** @type {Happened} */
  const last = { event: 'card-placed', seat: 1, card: 'a', gap: 0, next_card: null, to_play: 2 };
  assert.equal(heard('placed', { happened: [last], cards_in_row: 5 })[1], 'The deck is empty');
});

test('a doubted row is read out, with what was wrong in it', () => {
  /** @type {Happened} */
  const wrong = { event: 'row-doubted', ...WRONG_ROW };
  const lines = [
    'The red in the row, from the arrow on: 10%, 40%, 25%, 60%, 55%.',
    'It drops from card 2 to card 3: the row is wrong.',
    'The first mistake: card 2, placed by Ana.',
  ];
  assert.deepEqual(heard('doubted', { happened: [wrong] }), ['Ben does not believe the row.', ...lines]);
  assert.deepEqual(heardAt(1, 'doubted', { happened: [wrong] }), ['You do not believe the row.', ...lines]);
  assert.equal(heardAt(0, 'doubted', { happened: [wrong] })[3], 'The first mistake: card 2, placed by you.');
  assert.deepEqual(heard('doubted', { happened: [{ event: 'row-doubted', ...RIGHT_ROW }] }), [
    'Ben does not believe the row.',
    'The red in the row, from the arrow on: 10%, 10%, 30%.',
    'It never drops: the row is right.',
  ]);
});

test('arrows are taken and put back', () => {
  for (const [kind, told, you] of /** @type {const} */ ([
    ['arrow-awarded', 'Ana takes the red arrow.', 'You take the red arrow.'],
    ['arrow-returned', 'Ana puts back the red arrow.', 'You put back the red arrow.'],
  ])) {
    const fields = { happened: [{ event: kind, seat: 0, arrow: /** @type {const} */ ('red') }] };
    assert.deepEqual(heard('doubted', fields), [told]);
    assert.deepEqual(heardAt(0, 'doubted', fields), [you]);
  }
});

test('the game ends with one winner or with several', () => {
  const ended = (/** @type {number[]} */ ...winners) => ({
    happened: [{ event: /** @type {const} */ ('game-ended'), winners, ending: 'arrows' }],
  });
  assert.deepEqual(heard('doubted', ended(0)), ['The game is over. Ana wins.']);
  assert.deepEqual(heardAt(0, 'doubted', ended(0)), ['The game is over. You win.']);
  assert.deepEqual(heardAt(1, 'doubted', ended(0)), ['The game is over. Ana wins.']);
  assert.deepEqual(heardAt(0, 'doubted', ended(0, 2)), ['The game is over. Ana, Cleo win together.']);
});

test('names by seat; a seat that nobody has is nobody; our own is "you"', () => {
  assert.equal(nameOf(viewOf(), 2), 'Cleo');
  assert.equal(nameOf(viewOf(), 4), '');
  assert.equal(namesOf(viewOf(), [2, 0]), 'Cleo, Ana');
  assert.deepEqual(
    [2, 0, null].map((me) => labelOf(viewOf(), 2, me)),
    ['You', 'Cleo', 'Cleo'],
  );
  assert.equal(mistake(viewOf(), { card: 1, seat: 2 }, 0), 'The first mistake: card 2, placed by Cleo.');
  assert.equal(mistake(viewOf(), { card: 1, seat: 2 }, 2), 'The first mistake: card 2, placed by you.');
});

test('the verdict on a right row, to everybody, to the doubter, to the one who placed the last card', () => {
  assert.deepEqual(
    [null, 1, 0].map((me) => verdictLines(viewOf(), RIGHT_ROW, me)),
    [
      ['Ben doubted, but red never drops. Ana placed the last card and takes the arrow.'],
      ['You doubted, but red never drops. Ana placed the last card and takes the arrow.'],
      ['Ben doubted, but red never drops. You placed the last card and take the arrow.'],
    ],
  );
});

test('the verdict on a wrong row: the fall, then who was to blame, and where that card belonged', () => {
  const fall = 'red drops from 40% to 25%.';
  const belonged = 'It belonged between 25% and 60%.';
  assert.deepEqual(
    [null, 1, 0].map((me) => verdictLines(viewOf(), WRONG_ROW, me)),
    [
      [`Ben doubted and was right: ${fall}`, `The first mistake: Ana’s 40%. ${belonged} Ben takes the red arrow.`],
      [`You doubted and were right: ${fall}`, `The first mistake: Ana’s 40%. ${belonged} You take the red arrow.`],
      [`Ben doubted and was right: ${fall}`, `The first mistake: your 40%. ${belonged} Ben takes the red arrow.`],
    ],
  );
  assert.equal(verdict(viewOf(), WRONG_ROW, 1), verdictLines(viewOf(), WRONG_ROW, 1).join(' '));
});

test('a card that came to lie where it belongs, because of later ones, is not told where that is', () => {
  const row = doubtOf([10, 5, 6, 8], { falls: [1], broke: { card: 3, seat: 0 }, taker: 1 });
  assert.equal(verdictLines(viewOf(), row, null)[1], 'The first mistake: Ana’s 8%. Ben takes the red arrow.');
});

test('a card that belongs at an end of the row has one neighbour there', () => {
  const told = (/** @type {number[]} */ shares, /** @type {number} */ card) =>
    verdictLines(viewOf(), doubtOf(shares, { falls: [1], broke: { card, seat: 0 }, taker: 1 }), null)[1];
  assert.match(told([30, 10, 20], 0) ?? '', /It belonged after 20%\./);
  assert.match(told([10, 30, 5], 2) ?? '', /It belonged before 10%\./);
});

test('in a row with several wrong cards, a card belongs where the fewest others are on its wrong side', () => {
  const places = [
    [[10, 8, 3], 1, 1],
    [[5, 30, 9, 20, 40], 1, 4],
    [[40, 5, 10, 20], 3, 4],
    [[5, 40, 2, 9, 20], 2, 1],
  ];
  for (const [shares, card, place] of /** @type {[number[], number, number][]} */ (places)) {
    assert.equal(
      placeOfBroke(doubtOf(shares, { falls: [], broke: null, taker: 0 }), { card, seat: 0 }),
      place,
      String(shares),
    );
  }
});

test('percentages are written as the language does', () => {
  openPage({ '%(share)s%%': '%(share)s %%' });
  assert.match(verdict(viewOf(), WRONG_ROW, null), /from 40 % to 25 %/);
});

test('what the others laid since our turn, in the order in which they did', () => {
  const row = ['a', 'b', 'c', 'd', 'e', 'f'];
  const laid = { row, laid: [4, 0, 5, 3, 1, 2], placed_by: [0, null, 2, 1, 2, 0] };
  const since = (/** @type {number | null} */ me, /** @type {number} */ to_play) =>
    sinceMyTurn(viewOf({ ...laid, to_play }), me);
  assert.deepEqual(since(1, 1), [
    { at: 0, seat: 0 },
    { at: 2, seat: 2 },
  ]);
  assert.deepEqual(since(1, 2), [], 'not our turn');
  assert.deepEqual(since(null, 1), [], 'a spectator, or a device that is passed around');
});

test('in the first turns of a round, the first card is nobody’s', () => {
  assert.deepEqual(sinceMyTurn(viewOf({ row: ['a'], laid: [0], placed_by: [null] }), 1), []);
  assert.deepEqual(sinceMyTurn(viewOf(), 1), [{ at: 1, seat: 0 }]);
});

test('the headline says who has the arrow, and to whoever erred that they did', () => {
  const wrong = { ...WRONG_ROW, seat: 2, taker: 2 };
  const erred = wrong.broke?.seat ?? -1;
  assert.equal(headline(viewOf(), wrong, 2), 'The arrow is yours!');
  assert.equal(headline(viewOf(), wrong, erred), erred === 2 ? 'The arrow is yours!' : 'Fooled!');
  assert.equal(headline(viewOf(), wrong, null), 'Cleo takes the arrow');
  const right = { ...RIGHT_ROW, seat: 0, taker: 1 };
  assert.equal(headline(viewOf(), right, 0), 'Fooled!', 'whoever doubted a right row');
  assert.equal(headline(viewOf(), right, 1), 'The arrow is yours!');
  assert.equal(headline(viewOf(), right, 2), 'Ben takes the arrow');
});

test('the card that made the row wrong belongs after every other one that has less', () => {
  const { broke } = WRONG_ROW;
  assert.ok(broke);
  const others = WRONG_ROW.row.filter((_card, at) => at !== broke.card).map(({ shares }) => shares[WRONG_ROW.arrow]);
  const own = WRONG_ROW.row[broke.card]?.shares[WRONG_ROW.arrow] ?? 0;
  const place = placeOfBroke(WRONG_ROW, broke);
  assert.ok(others.toSorted((a, b) => a - b).every((share, at) => share < own === at < place - 1));
});
