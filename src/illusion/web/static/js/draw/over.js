// The end of a game: who won, what the last row was, how well everybody saw, superlatives and confetti.

import { $, h, seatShape, symbol } from '../shared/dom.js';
import { cardImage } from '../shared/pictures.js';
import { REMEMBERED_EYES, recordFile, replayPage, reviewOf, reviewPage, tablePage } from '../shared/server.js';
import { reducedMotion } from '../shared/settings.js';
import { _, names, percent } from '../shared/texts.js';
import { COLOURS } from '../table/messages.js';
import { play } from '../table/sound.js';
import { mySeat } from '../table/state.js';
import { playerList } from './players.js';
import { lastRowButton } from './playing.js';
import { turnedRow } from './turned-row.js';
import { awardLine, labelOf, namesOf, verdict } from './words.js';

/** @typedef {import('./words.js').Award} Award */
/** @typedef {import('../table/messages.js').Illusion} Illusion */
/** @typedef {import('../table/messages.js').Summary} Summary */
/** @typedef {import('../table/state.js').TableState} TableState */
/** @typedef {import('../table/messages.js').View} View */

const AWARDS_SHOWN = 2;
const PIECES = 60; // of confetti
const FALL_MS = 3600;

/**
 * @param {View} view
 * @param {number | null} me
 */
export const over = (view, me) => [
  h(
    'div',
    { class: 'won' },
    h('h1', { tabindex: -1 }, winners(view, me)),
    h('p', { class: 'lead happened' }, view.last_doubt && verdict(view, view.last_doubt, me)),
  ),
  playerList(view, me),
  h(
    'div',
    { class: 'after' },
    again(view),
    h('a', { class: 'button big', href: reviewPage(view.table) }, _('How it went')),
    h('a', { class: 'button big', href: replayPage(view.table) }, _('Watch it again')),
    me !== null && h('a', { class: 'button big', href: REMEMBERED_EYES }, _('My eyes')),
    h('a', { class: 'button big', href: '/' }, _('Home')),
    view.last_doubt && lastRowButton(),
  ),
  view.summary &&
    h(
      'div',
      { class: 'looked-back' },
      view.summary.worst_illusion && illusion(view, view.summary.worst_illusion, me),
      summary(view, view.summary, me),
    ),
  view.last_doubt && h('div', { class: 'last shown' }, turnedRow(view, view.last_doubt, me)),
  view.secret && fairDeal(view, view.secret),
];

/**
 * @param {View} view
 * @param {number | null} me
 */
function winners(view, me) {
  if (view.winners.length > 1) return _('%(names)s win together', { names: namesOf(view, view.winners) });
  return view.winners[0] === me ? _('You win!') : _('%(name)s wins', { name: namesOf(view, view.winners) });
}

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
 * The card that fooled somebody most, large, with what it is.
 * @param {View} view
 * @param {Illusion} illusion
 * @param {number | null} me
 */
function illusion(view, { card, arrow, seat, share, neighbour }, me) {
  const filled = h('i');
  filled.style.width = `${share}%`;
  const values = { seen: percent(neighbour), colour: names().colours[arrow], share: percent(share) };
  const told =
    share < neighbour
      ? _('It seemed to have at least %(seen)s %(colour)s. It has %(share)s.', values)
      : _('It seemed to have at most %(seen)s %(colour)s. It has %(share)s.', values);
  return h(
    'figure',
    { class: 'illusion', 'data-arrow': arrow },
    h('h2', {}, _('The greatest illusion')),
    cardImage(card, ''),
    h('span', { class: 'bar', 'aria-hidden': 'true' }, filled),
    h(
      'figcaption',
      {},
      h('b', { class: 'share' }, percent(share)),
      h('span', {}, told),
      h('span', { class: 'by' }, seatShape(seat), h('span', {}, labelOf(view, seat, me))),
    ),
  );
}

/**
 * @param {View} view
 * @param {Summary} looked
 * @param {number | null} me
 */
function summary(view, { eyes, best_eyes: best, worst_eyes: worst, closest }, me) {
  const award = (/** @type {number} */ seat) => {
    if (best.length === 1 && best[0] === seat) return _('best eye');
    return worst.length === 1 && worst[0] === seat ? _('most fooled') : null;
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
          h('b', {}, seatShape(seat), labelOf(view, seat, me)),
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

/**
 * What is added once the page shows the end: the best superlatives, when the game has been thought over.
 * @param {TableState} state
 */
export async function lookBack({ view, held }) {
  const me = mySeat({ held });
  if (me !== null) rememberSeat(view.table);
  const { answer } = await reviewOf(view.table);
  const awards = /** @type {Award[]} */ (answer.awards ?? []).filter(({ award }) => award !== 'worst-illusion'); // shown large
  const lines = awards.slice(0, AWARDS_SHOWN).map((award) => awardLine(view, award, me));
  if (lines.length) $('.summary')?.append(h('ul', { class: 'awards' }, lines));
}

/**
 * The device remembers which seat it held at a finished table, for "My eyes".
 * @param {string} table
 */
const rememberSeat = (table) =>
  fetch(REMEMBERED_EYES, { method: 'POST', body: new URLSearchParams({ table }) }).catch(() => {});

/**
 * The game has just ended; who has won, or only watched, sees confetti.
 * @param {TableState} state
 */
export function celebrate(state) {
  const me = mySeat(state);
  play(state, 'won');
  if (me === null || state.view.winners.includes(me)) throwConfetti();
}

/** Confetti cut from the deck's shapes. */
function throwConfetti() {
  if (reducedMotion() || document.visibilityState !== 'visible') return;
  const sky = h('div', { class: 'confetti', 'aria-hidden': 'true' });
  document.body.append(sky);
  for (let piece = 0; piece < PIECES; piece += 1) sky.append(symbol(COLOURS[piece % COLOURS.length] ?? 'red'));
  for (const piece of sky.children) fall(piece);
  setTimeout(() => sky.remove(), FALL_MS * 1.6);
}

/** @param {Element} piece */
function fall(piece) {
  const [from, drift, turns] = [Math.random() * 100, (Math.random() - 0.5) * 30, (Math.random() - 0.5) * 4];
  piece.animate(
    [
      { transform: `translate(${from}vw, -8vh) rotate(0turn)` },
      { transform: `translate(${from + drift}vw, 108vh) rotate(${turns}turn)` },
    ],
    { duration: FALL_MS * (0.7 + Math.random() * 0.5), delay: Math.random() * 900, easing: 'linear', fill: 'both' },
  );
}
