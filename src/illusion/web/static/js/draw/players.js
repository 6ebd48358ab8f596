// The people and bots of a table: their chairs before the game, their names and arrows during it.

import { _, names } from '../shared/texts.js';
import { facePicture } from '../shared/urls.js';
import { wonArrow } from './cards.js';
import { classes, h, seatShape } from './elements.js';
import { personFace } from './faces.js';
import { labelOf } from './sentences.js';

/** @typedef {import('../connection/messages.js').Player} Player */
/** @typedef {import('../connection/messages.js').View} View */

/** @param {Player} player */
export const face = ({ level, name }) =>
  level === null
    ? personFace(name)
    : h('img', { class: 'bot-face', src: facePicture(level, name), alt: '', width: 64, height: 64 });

/** @param {Player} player */
const levelOf = ({ level }) => _('bot, %(level)s', { level: names().levels[level ?? ''] ?? '' });

/**
 * @param {View} view
 * @param {number | null} me
 */
export const playerList = (view, me) =>
  h(
    'ul',
    { class: 'players' },
    view.players.map((player) =>
      h(
        'li',
        {
          'data-seat': player.seat,
          class: classes(
            'player',
            player.seat === view.to_play && 'at-turn',
            view.winners.includes(player.seat) && 'winner',
            player.away && 'away',
          ),
        },
        face(player),
        h(
          'span',
          { class: 'who' },
          h(
            'b',
            { title: player.name },
            seatShape(player.seat),
            h('span', { class: 'name' }, labelOf(view, player.seat, me)),
          ),
          h('small', {}, standing(view, player)),
        ),
        arrowsOf(view, player.seat),
      ),
    ),
  );

/**
 * @param {View} view
 * @param {Player} player
 */
function standing(view, player) {
  if (player.away) return _('away, a bot stands in');
  if (player.level !== null) return levelOf(player);
  return player.seat === view.to_play ? _('to play') : '';
}

/**
 * @param {View} view
 * @param {number} seat
 */
function arrowsOf(view, seat) {
  const won = view.arrows_won[seat] ?? [];
  const missing = Math.max((view.end.arrows_to_win ?? 0) - won.length, 0);
  return h(
    'ul',
    { class: 'won-arrows', 'aria-label': _('Arrows won') },
    won.map(wonArrow),
    Array.from({ length: missing }, () => h('li', { class: 'mini empty', 'aria-hidden': 'true' })),
  );
}

/**
 * The chairs of a table at which the game has not begun.
 * @param {View} view
 */
export const chairs = (view) =>
  h(
    'ol',
    { class: 'chairs' },
    Array.from({ length: view.seats }, (_each, seat) => {
      const sitter = view.players.find((player) => player.seat === seat);
      return sitter ? taken(view, sitter) : free(seat);
    }),
  );

/** @param {number} seat */
const free = (seat) =>
  h(
    'li',
    { class: 'chair free', 'data-seat': seat },
    h('span', { class: 'face', 'aria-hidden': 'true' }, '+'),
    h('span', { class: 'who' }, h('b', {}, _('A free seat'))),
  );

/**
 * @param {View} view
 * @param {Player} sitter
 */
function taken(view, sitter) {
  let told = _('ready');
  if (sitter.level !== null) told = levelOf(sitter);
  else if (sitter.seat === view.host) told = _('host');
  return h(
    'li',
    { class: 'chair', 'data-seat': sitter.seat },
    h('span', { class: 'face' }, face(sitter)),
    h(
      'span',
      { class: 'who' },
      h('b', {}, sitter.name),
      h('span', { class: 'tag you' }, _('you')),
      h('small', {}, told),
    ),
    sitter.level !== null &&
      h(
        'button',
        {
          type: 'button',
          class: 'icon host-only',
          'data-remove-bot': sitter.seat,
          'aria-label': _('Remove %(name)s', { name: sitter.name }),
        },
        '×',
      ),
  );
}
