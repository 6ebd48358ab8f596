// The people and bots of a table: their faces, names and arrows.

import { arrow, classes, h, s, seatShape, symbol } from '../shared/dom.js';
import { facePicture } from '../shared/server.js';
import { _, names } from '../shared/texts.js';
import { COLOURS } from '../table/messages.js';
import { labelOf } from './words.js';

/** @typedef {import('../table/messages.js').Colour} Colour */
/** @typedef {import('../table/messages.js').Player} Player */
/** @typedef {import('../table/messages.js').View} View */

/** @typedef {'calm' | 'looks' | 'winces'} Mood of a bot's face: it looks at the next card, or was caught */

/**
 * @param {Player} player
 * @param {string} [told] a bot's face in words, where its name does not stand beside it
 * @param {Mood} [mood]
 */
export const face = ({ level, name }, told = '', mood = 'calm') =>
  level === null
    ? personFace(name)
    : h('img', {
        class: 'bot-face',
        src: facePicture(level, name, mood),
        alt: told,
        width: 64,
        height: 64,
      });

/**
 * @param {View} view
 * @param {Player} player
 * @returns {Mood}
 */
export function moodOf({ to_play: toPlay, row, last_doubt: doubt }, { seat }) {
  if (seat === toPlay) return 'looks';
  return doubt && row.length === 1 && caught(doubt) === seat ? 'winces' : 'calm';
}

/**
 * Who was wrong: whoever laid the card that made the row wrong, or a doubter of a row that is right.
 * @param {import('../table/messages.js').Doubt} doubt
 */
export const caught = ({ broke, seat }) => broke?.seat ?? seat;

/**
 * The faces of bots in every mood are there before they are shown.
 * @param {View} view
 */
export function prepareFaces({ players }) {
  for (const { level, name } of players) {
    if (level === null) continue;
    for (const mood of /** @type {Mood[]} */ (['looks', 'winces'])) new Image().src = facePicture(level, name, mood);
  }
}

/** @param {Player} player */
export const levelOf = ({ level }) => _('bot, %(level)s', { level: names().levels[level ?? ''] ?? '' });

/**
 * @param {View} view
 * @param {number | null} me
 * @param {(player: Player) => { place: number, line: string }} [ended] how somebody ended, when a game is over
 */
export const playerList = (view, me, ended) =>
  h(
    'ul',
    { class: 'players' },
    view.players.map((player) =>
      h(
        'li',
        {
          'data-seat': player.seat,
          'data-place': ended?.(player).place,
          class: classes(
            'player',
            player.seat === view.to_play && 'at-turn',
            view.winners.includes(player.seat) && 'winner',
            player.away && 'away',
          ),
        },
        h(
          'div',
          { class: 'chip' },
          face(player, '', ended ? 'calm' : moodOf(view, player)),
          h(
            'span',
            { class: 'who' },
            h(
              'b',
              { title: player.name },
              seatShape(player.seat),
              h('span', { class: 'name' }, labelOf(view, player.seat, me)),
            ),
            h('small', {}, ended ? ended(player).line : standing(view, player)),
          ),
          arrowsOf(view, player.seat),
        ),
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

const MOST_SINGLY = 3;

/**
 * A seat's arrows and empty slots; many arrows as a number, with those of each colour.
 * @param {View} view
 * @param {number} seat
 */
export function arrowsOf(view, seat) {
  const won = view.arrows_won[seat] ?? [];
  const last = won.at(-1);
  if (last && won.length > MOST_SINGLY)
    return h(
      'ul',
      { class: 'won-arrows', 'aria-label': _('Arrows won') },
      h('li', { class: 'mini tally' }, arrow(last), h('b', {}, String(won.length))),
      COLOURS.filter((colour) => won.includes(colour)).map((colour) =>
        h('li', { class: 'dot' }, symbol(colour), String(won.filter((each) => each === colour).length)),
      ),
    );
  const missing = Math.max((view.end.arrows_to_win ?? 0) - won.length, 0);
  return h(
    'ul',
    { class: 'won-arrows', 'aria-label': _('Arrows won') },
    won.map(wonArrow),
    Array.from({ length: missing }, () => h('li', { class: 'mini empty', 'aria-hidden': 'true' })),
  );
}

/** @param {Colour} colour */
export const wonArrow = (colour) =>
  h('li', { class: 'mini' }, arrow(colour), h('span', { class: 'hide' }, names().arrows[colour]));

/** @type {((pick: (n: number) => number) => string[])[]} paths of patterns in a box from -32 to 32 */
const PATTERNS = [
  () => [-24, -8, 8, 24].map((x) => `M${x - 5}-40h10v80h-10z`), // stripes
  () => [-20, 0, 20].flatMap((y) => [-20, 0, 20].map((x) => `M${x - 7} ${y}a7 7 0 1 0 14 0a7 7 0 1 0-14 0`)), // dots
  (pick) =>
    Array.from({ length: 6 }, (_each, at) => {
      const from = ((at * 2 + pick(2)) * Math.PI) / 6;
      const to = from + Math.PI / 6;
      const point = (/** @type {number} */ angle) =>
        `${(46 * Math.cos(angle)).toFixed(1)} ${(46 * Math.sin(angle)).toFixed(1)}`;
      return `M0 0L${point(from)}L${point(to)}z`; // rays
    }),
  () =>
    [28, 16].map(
      (r) =>
        `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0M${6 - r} 0a${r - 6} ${r - 6} 0 1 1 ${2 * r - 12} 0a${r - 6} ${r - 6} 0 1 1 ${12 - 2 * r} 0`,
    ), // rings
  () => [-24, -8, 8, 24].flatMap((y, row) => [-24, 8].map((x) => `M${x + (row % 2) * 16} ${y - 8}h16v16h-16z`)), // squares
  () => [-30, -14, 2, 18].map((y) => `M-40 ${y}l20 12 20-12 20 12 20-12v9l-20 12-20-12-20 12-20-12z`), // chevrons
];

/**
 * A person's face: a disc with a pattern that is derived from the name.
 * @param {string} name
 * @returns {SVGElement}
 */
function personFace(name) {
  const seed = hashOf(name);
  const ground = seed % COLOURS.length;
  const second = (ground + 1 + (Math.floor(seed / 7) % 3)) % COLOURS.length;
  const pattern = PATTERNS[Math.floor(seed / 31) % PATTERNS.length];
  return s(
    'svg',
    { viewBox: '-32 -32 64 64', class: 'person-face', 'aria-hidden': 'true' },
    path(COLOURS[ground] ?? '', ['M-40-40h80v80h-80z']),
    path(COLOURS[second] ?? '', pattern?.((n) => Math.floor(seed / 977) % n) ?? []),
  );
}

/**
 * @param {string} colour
 * @param {string[]} parts
 */
const path = (colour, parts) => s('path', { class: `plain-${colour}`, 'fill-rule': 'evenodd', d: parts.join('') });

const OFFSET = 2166136261;
const PRIME = 16777619;

/**
 * A hash of a text (FNV-1a; Fowler, Noll and Vo), the same on every device.
 * @param {string} text
 */
export function hashOf(text) {
  let hash = OFFSET;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), PRIME);
  return (hash ^ (hash >>> 15)) >>> 0;
}
