// How a finished game went: the chance to win over the game, what eye, judgement and luck did, and where it turned.
import { awardLine, labelOf } from '../draw/words.js';
import { chart, legendLine } from '../shared/charts.js';
import { $, h, seatShape, the } from '../shared/dom.js';
import { momentPage, reviewOf } from '../shared/server.js';
import { _ } from '../shared/texts.js';
import { readPage } from '../table/messages.js';

/**
 * @typedef {object} Totals
 * @property {number} seat
 * @property {number} eye
 * @property {number} judgement
 * @property {number} luck
 */

/**
 * @typedef {object} Review
 * @property {{ seat: number, chances: number[], round: number }[]} decisions
 * @property {number[]} chances_at_end
 * @property {Totals[]} seats
 * @property {{ round: number, turn: number }[]} turning_points
 * @property {string[]} sentences
 * @property {import('../draw/words.js').Award[]} awards
 */

const { view, held } = readPage();
const me = held.length === 1 ? (held[0] ?? null) : null;
const name = (/** @type {number} */ seat) => labelOf(view, seat, me);

/**
 * A small bar: to the left what it cost, to the right what it gained.
 * @param {number} change in chance to win
 */
function amount(change) {
  const points = Math.round(100 * change);
  const [less, more] = [h('i', { class: 'less' }), h('i', { class: 'more' })];
  less.style.width = `${Math.min(100, Math.max(0, -points) * 2)}%`;
  more.style.width = `${Math.min(100, Math.max(0, points) * 2)}%`;
  return h(
    'span',
    { class: 'amount' },
    less,
    more,
    h('b', {}, points > 0 ? `+${points}` : String(points).replace('-', '−')),
  );
}

/** @param {Totals[]} seats */
const totals = (seats) =>
  h(
    'table',
    { class: 'totals' },
    h(
      'thead',
      {},
      h('tr', {}, h('td'), ...[_('Eye'), _('Judgement'), _('Luck')].map((text) => h('th', { scope: 'col' }, text))),
    ),
    h(
      'tbody',
      {},
      seats.map(({ seat, eye, judgement, luck }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, seatShape(seat), name(seat)),
          [eye, judgement, luck].map((change) => h('td', {}, amount(change))),
        ),
      ),
    ),
  );

/** @param {Review} review */
function draw(review) {
  const chances = [...review.decisions.map((each) => each.chances), review.chances_at_end];
  const rounds = review.decisions.map(({ round }) => round);
  the('#review', HTMLElement).append(
    h('h2', {}, _('Chance to win')),
    chart(chances, rounds, _('Chance to win')),
    h(
      'ul',
      { class: 'legend' },
      view.players.map(({ seat }) => h('li', {}, legendLine(seat), seatShape(seat), name(seat))),
    ),
    h('h2', {}, _('Eye, judgement, luck')),
    h('p', { class: 'soft' }, _('In points of chance to win, over the whole game.')),
    totals(review.seats),
    h('h2', {}, _('Where it turned')),
    h(
      'ol',
      { class: 'points' },
      review.turning_points.map((point, at) =>
        h('li', {}, h('a', { href: momentPage(view.table, point.round, point.turn) }, review.sentences[at] ?? '')),
      ),
    ),
  );
  if (review.awards.length)
    the('#review', HTMLElement).append(
      h('h2', {}, _('Awards')),
      h(
        'ul',
        { class: 'awards' },
        review.awards.map((award) => awardLine(view, award, me)),
      ),
    );
  the('#review', HTMLElement).hidden = false;
}

const { status, answer, refusal } = await reviewOf(view.table);
if (status === 200) {
  $('#progress')?.remove();
  draw(/** @type {Review} */ (answer));
} else the('#progress', HTMLElement).replaceChildren(refusal);
