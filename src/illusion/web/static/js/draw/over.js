// The end of a game: who won, what the last row was, and how well everybody saw.

import { _, names, percent } from '../shared/texts.js';
import { recordFile, tablePage } from '../shared/urls.js';
import { h, seatShape } from './elements.js';
import { playerList } from './players.js';
import { lastRowButton } from './playing.js';
import { nameOf, namesOf, verdict } from './sentences.js';
import { turnedRow } from './turned-row.js';

/** @typedef {import('../table/messages.js').Summary} Summary */
/** @typedef {import('../table/messages.js').View} View */

/** @param {View} view */
export const over = (view) => [
  h(
    'div',
    { class: 'won' },
    h('h1', { tabindex: -1 }, winners(view)),
    h('p', { class: 'lead happened' }, view.last_doubt && verdict(view, view.last_doubt)),
  ),
  playerList(view),
  h(
    'div',
    { class: 'after' },
    again(view),
    h('a', { class: 'button big', href: '/' }, _('Home')),
    view.last_doubt && lastRowButton(),
  ),
  view.summary && summary(view, view.summary),
  view.last_doubt && h('div', { class: 'last shown' }, turnedRow(view, view.last_doubt)),
  view.secret && fairDeal(view, view.secret),
];

/** @param {View} view */
const winners = (view) =>
  view.winners.length === 1
    ? _('%(name)s wins', { name: namesOf(view, view.winners) })
    : _('%(names)s win together', { names: namesOf(view, view.winners) });

/** @param {View} view */
function again({ rematch }) {
  if (rematch) {
    const href = tablePage(rematch);
    return h('a', { class: 'button primary big', id: 'rematch', href, 'data-do': 'rematch' }, _('Go to the rematch'));
  }
  return h(
    'button',
    { type: 'button', class: 'button primary big seated-only', id: 'rematch', 'data-do': 'rematch' },
    _('Play again'),
  );
}

/**
 * @param {View} view
 * @param {Summary} looked
 */
function summary(view, { eyes, best_eyes: best, worst_eyes: worst, closest }) {
  const award = (/** @type {number} */ seat) => {
    if (best.includes(seat)) return _('best eye');
    return worst.includes(seat) ? _('most fooled') : null;
  };
  return h(
    'section',
    { class: 'summary' },
    h('h2', {}, _('Who had a good eye?')),
    h(
      'ul',
      {},
      eyes.map(({ seat, right, wrong }) =>
        h(
          'li',
          {},
          h('b', {}, seatShape(seat), nameOf(view, seat)),
          h('span', {}, _('%(right)s right, %(wrong)s wrong', { right, wrong })),
          award(seat) && h('span', { class: 'tag' }, award(seat)),
        ),
      ),
    ),
    closest &&
      h(
        'p',
        {},
        _('The closest call: %(left)s next to %(right)s of %(colour)s.', {
          left: percent(closest.left),
          right: percent(closest.right),
          colour: names().colours[closest.arrow],
        }),
      ),
  );
}

/**
 * @param {View} view
 * @param {NonNullable<View['secret']>} secret
 */
const fairDeal = ({ table, commitment }, { seed, nonce, generator }) =>
  h(
    'details',
    { class: 'fair' },
    h('summary', {}, _('A fair deal: check it yourself')),
    h(
      'p',
      {},
      _(
        'Before the first card, everybody got the commitment. It is the SHA-256 of “illusion”, the generator, the seed and the nonce, separated by spaces. So the cards were in this order from the start.',
      ),
    ),
    h(
      'dl',
      {},
      [
        [_('Commitment'), commitment ?? ''],
        [_('Generator'), String(generator)],
        [_('Seed'), seed],
        [_('Nonce'), nonce],
      ].map(([term, value]) => [h('dt', {}, term), h('dd', {}, value)]),
    ),
    h(
      'p',
      {},
      h('a', { class: 'button', href: recordFile(table), download: `illusion-${table}.json` }, _('Save this game')),
    ),
  );
