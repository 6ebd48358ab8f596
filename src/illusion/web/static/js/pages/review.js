// The review of a finished game: turning points with the cards in question; eye, judgement and luck, in words and figures;
// the chances to win over the game.
import { awardLine, labelOf } from '../draw/words.js';
import { chart, legendLine } from '../shared/charts.js';
import { $, classes, h, required, seatShape, symbol } from '../shared/dom.js';
import { cardImage } from '../shared/pictures.js';
import { apiTable, momentPage, request, reviewOf } from '../shared/server.js';
import { _, percent } from '../shared/texts.js';
import { readPage } from '../table/messages.js';
import { mySeat } from '../table/state.js';

/** @typedef {import('./replay.js').Moment} Moment */
/** @typedef {import('./replay.js').Replay} Replay */

/**
 * @typedef {object} Totals
 * @property {number} seat
 * @property {number} eye
 * @property {number} judgement
 * @property {number} luck
 * @property {number} placed
 * @property {number} placed_right
 * @property {number} expected_right
 * @property {number} doubts
 * @property {number} doubts_right
 */

/** @typedef {{ round: number, turn: number, what: string, moved: number }} TurningPoint */

/**
 * @typedef {object} Review
 * @property {{ seat: number, chances: number[], round: number }[]} decisions
 * @property {number[]} chances_at_end
 * @property {Totals[]} seats
 * @property {TurningPoint[]} turning_points
 * @property {string[]} sentences
 * @property {import('../draw/words.js').Award[]} awards
 */

const AROUND = 2; // cards shown on either side of the pair at issue

const page = readPage();
const { view } = page;
const me = mySeat(page);
const name = (/** @type {number} */ seat) => labelOf(view, seat, me);
const points = (/** @type {number} */ chance) => Math.round(100 * chance);
const signed = (/** @type {number} */ count) => (count > 0 ? `+${count}` : String(count).replace('-', '−'));

/**
 * The row of a turning point: after a placement; before it, if the mistake was to believe the row.
 * @param {Replay} replay
 * @param {TurningPoint} point
 */
function momentOf({ moments }, { round, turn, what }) {
  const move = what === 'believed' ? turn - 1 : turn;
  return moments.find((moment) => moment.round === round && moment.move === move);
}

/**
 * @param {Replay} replay
 * @param {TurningPoint} point
 */
function arrowOf(replay, point) {
  const arrow = momentOf(replay, point)?.view.arrow;
  return arrow ? symbol(arrow) : null;
}

/**
 * The pair at issue: the neighbours that fall most or rise least; after a placement only those beside the new card.
 * @param {Moment} moment
 * @param {number[]} shares
 * @param {boolean} isPlacement
 */
function pairAt({ view: { row }, happened }, shares, isPlacement) {
  const placed = happened.find((each) => each.event === 'card-placed');
  const at = isPlacement && placed ? row.indexOf(placed.card) : null;
  const rights = [...row.keys()].slice(1).filter((right) => at === null || right === at || right - 1 === at);
  const rise = (/** @type {number} */ right) => (shares[right] ?? 0) - (shares[right - 1] ?? 0);
  return rights.sort((one, other) => rise(one) - rise(other))[0] ?? null;
}

/**
 * The pair at issue, large, with some neighbours.
 * @param {Replay} replay
 * @param {TurningPoint} point
 */
function strip(replay, point) {
  const moment = momentOf(replay, point);
  const arrow = moment?.view.arrow;
  if (!moment || !arrow) return null;
  const { row } = moment.view;
  const shares = row.map((card) => replay.shares[card]?.[arrow] ?? 0);
  const right = pairAt(moment, shares, point.what === 'placed' || point.what === 'misplaced');
  if (right === null) return null;
  const from = Math.max(0, right - 1 - AROUND);
  const shown = row.slice(from, right + 1 + AROUND);
  return h(
    'ol',
    { class: 'strip-row', 'data-arrow': arrow, 'aria-hidden': 'true' },
    from > 0 && h('li', { class: 'rest' }, '…'),
    shown.map((card, at) => {
      const [place, isPair] = [from + at, from + at === right || from + at === right - 1];
      return h(
        'li',
        { class: classes(isPair && 'at-issue') },
        cardImage(card, ''),
        isPair && h('b', { class: 'share' }, percent(shares[place] ?? 0)),
      );
    }),
    from + shown.length < row.length && h('li', { class: 'rest' }, '…'),
  );
}

/**
 * @param {Review} review
 * @param {Replay} replay
 */
const turningPoints = ({ turning_points: all, sentences }, replay) =>
  h(
    'ol',
    { class: 'points' },
    all.map((point, at) =>
      h(
        'li',
        {},
        h(
          'p',
          { class: 'when' },
          arrowOf(replay, point),
          h('span', {}, _('Round %(round)s', { round: point.round })),
          h('b', {}, signed(points(point.moved))),
        ),
        h('a', { href: momentPage(view.table, point.round, point.turn) }, sentences[at] ?? ''),
        strip(replay, point),
      ),
    ),
  );

const COLUMNS = /** @type {const} */ (['eye', 'judgement', 'luck']);
const headings = () => ({ eye: _('Seen'), judgement: _('Decided'), luck: _('Luck and others’ slips') });

/**
 * A player's eye, judgement and luck in words.
 * @param {Totals} totals
 */
function inWords({
  eye,
  judgement,
  luck,
  placed,
  placed_right: right,
  expected_right: expected,
  doubts,
  doubts_right,
}) {
  const lost = -points(judgement);
  const told = {
    eye: [
      _('Cards placed right: %(right)s of %(all)s.', { right, all: placed }),
      _('An ordinary eye would have placed %(n)s of them right.', { n: Math.round(expected) }),
    ],
    judgement: [
      doubts > 0 && _('Rows doubted: %(n)s, of them rightly: %(right)s', { n: doubts, right: doubts_right }),
      lost > 0
        ? _('Doubting or believing at the wrong moment cost points: %(n)s.', { n: lost })
        : _('You doubted and believed as one should.'),
    ],
    luck: [luck > 0 ? _('The cards and the others were with you.') : _('The cards and the others were against you.')],
  };
  const figures = { eye, judgement, luck };
  return h(
    'div',
    { class: 'in-words' },
    COLUMNS.map((column) =>
      h(
        'section',
        {},
        h('h3', {}, headings()[column], h('b', {}, signed(points(figures[column])))),
        told[column].map((line) => line && h('p', {}, line)),
      ),
    ),
  );
}

/**
 * A small bar: losses to the left, gains to the right.
 * @param {number} change in chance to win
 * @param {number} most of all changes
 */
function amount(change, most) {
  const [less, more] = [h('i', { class: 'less' }), h('i', { class: 'more' })];
  less.style.width = `${(100 * Math.max(0, -change)) / most}%`;
  more.style.width = `${(100 * Math.max(0, change)) / most}%`;
  return h('span', { class: 'amount' }, less, more, h('b', {}, signed(points(change))));
}

/** @param {Totals[]} seats */
function totals(seats) {
  const most = Math.max(0.01, ...seats.flatMap((seat) => COLUMNS.map((column) => Math.abs(seat[column]))));
  return h(
    'table',
    { class: 'totals' },
    h('thead', {}, h('tr', {}, h('td'), ...COLUMNS.map((column) => h('th', { scope: 'col' }, headings()[column])))),
    h(
      'tbody',
      {},
      seats.map((seat) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, seatShape(seat.seat), name(seat.seat)),
          COLUMNS.map((column) => h('td', {}, amount(seat[column], most))),
        ),
      ),
    ),
  );
}

/**
 * @param {Review} review
 * @param {Replay} replay
 */
function draw(review, replay) {
  const chances = [...review.decisions.map((each) => each.chances), review.chances_at_end];
  const rounds = review.decisions.map(({ round }) => round);
  const mine = review.seats.find(({ seat }) => seat === me);
  const parts = [
    h('h2', {}, _('Where it turned')),
    turningPoints(review, replay),
    mine && [h('h2', {}, _('What you did, and what happened to you')), inWords(mine)],
    h('h2', {}, _('Everybody, in points of chance to win')),
    totals(review.seats),
    h('h2', {}, _('Chance to win')),
    chart(chances, rounds, _('Chance to win'), percent),
    h(
      'ul',
      { class: 'legend' },
      view.players.map(({ seat }) => h('li', {}, legendLine(seat), seatShape(seat), name(seat))),
    ),
    review.awards.length > 0 && [
      h('h2', {}, _('Awards')),
      h(
        'ul',
        { class: 'awards' },
        review.awards.map((award) => awardLine(view, award, me)),
      ),
    ],
  ];
  required('#review', HTMLElement).append(h('div', {}, ...parts));
  required('#review', HTMLElement).hidden = false;
}

const { status, answer, refusal } = await reviewOf(view.table);
const told = status === 200 ? await request('GET', apiTable(view.table, 'replay')) : null;
if (told?.status === 200) {
  $('#progress')?.remove();
  draw(/** @type {Review} */ (answer), /** @type {Replay} */ (told.answer));
} else required('#progress', HTMLElement).replaceChildren(told?.refusal ?? refusal);
