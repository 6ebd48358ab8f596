// The end of a game: who won, what the last row was, how well everybody saw, superlatives and confetti.

import { $, h, required, seatShape, symbol } from '../shared/dom.js';
import { cardImage } from '../shared/pictures.js';
import {
  HOME,
  illusionPage,
  REMEMBERED_EYES,
  recordFile,
  replayPage,
  reviewOf,
  reviewPage,
  tablePage,
} from '../shared/server.js';
import { reducedMotion } from '../shared/settings.js';
import { _, names, percent } from '../shared/texts.js';
import { COLOURS } from '../table/messages.js';
import { copy } from '../table/notices.js';
import { play } from '../table/sound.js';
import { mySeat } from '../table/state.js';
import { arrowsOf, face, playerList } from './players.js';
import { lastRowButton } from './playing.js';
import { turnedRow } from './turned-row.js';
import { awardLine, illusionTold, labelOf, namesOf } from './words.js';

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
    { class: 'won', 'data-arrow': view.last_doubt?.arrow },
    view.players.filter(({ seat }) => view.winners.includes(seat)).map((winner) => face(winner)),
    h('h1', { tabindex: -1 }, winners(view, me)),
    view.winners.length === 1 && arrowsOf(view, view.winners[0] ?? 0),
  ),
  places(view, me),
  h(
    'div',
    { class: 'after' },
    again(view),
    view.summary?.worst_illusion &&
      h('button', { type: 'button', class: 'button big', 'data-do': 'share-illusion' }, _('Share')),
    h('a', { class: 'button', href: reviewPage(view.table) }, _('How it went')),
    me !== null && h('a', { class: 'button', href: REMEMBERED_EYES }, _('My eyes')),
    h(
      'details',
      { class: 'others' },
      h('summary', {}, _('More')),
      h('a', { class: 'button', href: replayPage(view.table) }, _('Watch it again')),
      h('a', { class: 'button', href: HOME }, _('Home')),
      view.last_doubt && lastRowButton(),
    ),
  ),
  view.summary?.worst_illusion && illusion(view, view.summary.worst_illusion, me),
  h('section', { class: 'summary' }, view.summary?.closest && closestCall(view.summary.closest)),
  view.last_doubt && h('div', { class: 'last shown' }, turnedRow(view, view.last_doubt, me)),
  view.secret && fairDeal(view, view.secret),
];

/**
 * Everybody in the order of their arrows, with a kind line from their own game.
 * @param {View} view
 * @param {number | null} me
 */
function places(view, me) {
  const won = (/** @type {number} */ seat) => view.arrows_won[seat]?.length ?? 0;
  const ahead = (/** @type {number} */ seat, /** @type {number} */ other) =>
    Number(view.winners.includes(other)) - Number(view.winners.includes(seat)) || won(other) - won(seat);
  const players = view.players.toSorted((one, other) => ahead(one.seat, other.seat));
  return playerList({ ...view, players }, me, ({ seat }) => ({
    place: 1 + players.filter((other) => ahead(seat, other.seat) > 0).length,
    line: view.winners.includes(seat) ? '' : kindLine(view, seat),
  }));
}

/**
 * @param {View} view
 * @param {number} seat
 */
function kindLine({ summary, end, arrows_won: won }, seat) {
  const { right = 0, wrong = 0 } = summary?.eyes.find((eye) => eye.seat === seat) ?? {};
  const values = { right, all: right + wrong };
  if (summary?.best_eyes.length === 1 && summary.best_eyes[0] === seat)
    return _('The best eye: %(right)s of %(all)s cards right.', values);
  if (right && !wrong) return _('Every card right.');
  if (end.arrows_to_win !== null && won[seat]?.length === end.arrows_to_win - 1) return _('One arrow short.');
  return right ? _('%(right)s of %(all)s cards right.', values) : _('More luck next time.');
}

/** @param {NonNullable<Summary['closest']>} closest */
const closestCall = ({ left, right, arrow }) =>
  h(
    'p',
    {},
    _('The closest call: %(left)s next to %(right)s of %(colour)s.', {
      left: percent(left),
      right: percent(right),
      colour: names().colours[arrow],
    }),
  );

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
    return h('a', { class: 'button primary big', id: 'rematch', href, 'data-do': 'rematch' }, _('Join'));
  }
  return h(
    'button',
    { type: 'button', class: 'button primary big seated-only', id: 'rematch', 'data-do': 'rematch' },
    _('Play again'),
  );
}

/**
 * The card that fooled somebody most, large; a press shows its share.
 * @param {View} view
 * @param {Illusion} shown
 * @param {number | null} me
 */
function illusion(view, shown, me) {
  const { card, arrow, seat, share } = shown;
  const filled = h('i');
  filled.style.width = `${share}%`;
  const colour = names().colours[arrow];
  return h(
    'figure',
    { class: 'illusion', 'data-arrow': arrow },
    h('h2', {}, _('The greatest illusion')),
    cardImage(card, ''),
    h(
      'p',
      { class: 'guess' },
      h('span', {}, _('How much %(colour)s?', { colour })),
      h('button', { type: 'button', class: 'button', 'data-do': 'show-illusion' }, _('Show it')),
    ),
    h('span', { class: 'bar', 'aria-hidden': 'true' }, filled),
    h(
      'figcaption',
      { tabindex: -1 },
      h('b', { class: 'share' }, percent(share)),
      h('span', {}, illusionTold(shown)),
      h('span', { class: 'by' }, seatShape(seat), h('span', {}, labelOf(view, seat, me))),
    ),
  );
}

/** Shows the share of the greatest illusion. */
export function showIllusion() {
  $('.illusion')?.classList.add('shown');
  $('.illusion figcaption')?.focus({ preventScroll: true });
}

const SHARED_PX = 630;
const MARGIN_PX = 40;
const FOOT_PX = 120;

/**
 * The greatest illusion without its figure, as a picture, and the link to a page where it is guessed; just the link where pictures cannot be
 * passed on.
 * @param {TableState} state
 */
export async function shareIllusion(state) {
  const shown = state.view.summary?.worst_illusion;
  if (!shown) return;
  const url = new URL(illusionPage(state.view.table), location.href).href;
  const text = _('How much %(colour)s?', { colour: names().colours[shown.arrow] });
  const files = [await asFile(text)].filter((file) => file !== null);
  const withPicture = { title: document.title, text, url, files };
  if (files.length && navigator.canShare?.(withPicture)) return navigator.share(withPicture).catch(() => {});
  if (typeof navigator.share === 'function') return navigator.share({ text, url }).catch(() => {});
  for (const file of files) h('a', { href: URL.createObjectURL(file), download: file.name }).click();
  return copy(state, url);
}

/** @param {string} text */
async function asFile(text) {
  const card = required('.illusion .card', HTMLImageElement);
  const canvas = h('canvas', {
    width: SHARED_PX + 2 * MARGIN_PX,
    height: SHARED_PX * (880 / 630) + MARGIN_PX + FOOT_PX,
  });
  const pen = canvas.getContext('2d');
  if (!pen) return null;
  pen.fillStyle = '#faf7f2';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(card, MARGIN_PX, MARGIN_PX, SHARED_PX, SHARED_PX * (880 / 630));
  pen.fillStyle = '#22201d';
  pen.font = '800 48px Display, system-ui, sans-serif';
  pen.textAlign = 'center';
  pen.fillText(text, canvas.width / 2, canvas.height - FOOT_PX / 2 + 12, SHARED_PX);
  const blob = await new Promise((/** @type {BlobCallback} */ done) => canvas.toBlob(done)).catch(() => null);
  return blob && new File([blob], 'illusion.png', { type: 'image/png' });
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
 * Adds awards to the end's page, once the game has been reviewed.
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
 * Stores the device's seat at a finished table, for "My eyes".
 * @param {string} table
 */
const rememberSeat = (table) =>
  fetch(REMEMBERED_EYES, { method: 'POST', body: new URLSearchParams({ table }) }).catch(() => {});

/**
 * Confetti for winners and spectators when the game ends.
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
