// Draws the server's view of a table; here also a table before its game, and a closed one.

import { h } from '../shared/dom.js';
import { HOME } from '../shared/server.js';
import { _, names } from '../shared/texts.js';
import { over } from './over.js';
import { face, levelOf } from './players.js';
import { playing } from './playing.js';
import { nameOf, perTurn } from './words.js';

/** @typedef {import('../table/messages.js').Player} Player */
/** @typedef {import('../table/messages.js').View} View */

/**
 * As a choice among others.
 * @param {number | null} clock
 */
const shortly = (clock) => perTurn(clock).replace(/\.$/, '');

/** @param {View} view */
const waiting = (view) => [
  h('h1', { tabindex: -1 }, _('The table is set')),
  h(
    'p',
    { class: 'lead' },
    names().variantSentences[view.variant],
    view.penalty !== 'nothing' && ` ${names().penaltySentences[view.penalty]}`,
    view.clock !== null && ` ${perTurn(view.clock)}`,
  ),
  view.locked && h('p', { class: 'soft' }, _('The table is locked: nobody new sits down.')),
  chairs(view),
  view.promised.length > 0 &&
    h(
      'p',
      { class: 'soft' },
      _('Seats are kept for %(names)s.', { names: view.promised.map(({ name }) => name).join(', ') }),
    ),
  h(
    'div',
    { class: 'host-only host-bar' },
    h(
      'button',
      { type: 'button', class: 'button primary big', id: 'start', 'data-do': 'start', disabled: !view.can_start },
      _('Start the game'),
    ),
    !view.can_start && h('p', { class: 'soft' }, _('Two players are enough to start.')),
    h('details', { class: 'more', id: 'arrange' }, h('summary', {}, _('More')), arrangement(view)),
  ),
  h(
    'p',
    { class: 'guest-only soft' },
    view.host === null
      ? _('Waiting for somebody to start.')
      : _('Waiting for %(name)s to start the game.', { name: nameOf(view, view.host) }),
  ),
];

/** @param {View} view */
const arrangement = (view) =>
  h(
    'form',
    { class: 'bot-form', 'data-arrange': true },
    h(
      'label',
      {},
      _('Game'),
      h(
        'select',
        { name: 'variant' },
        Object.entries(names().variants).map(([variant, told]) => option(variant, told, variant === view.variant)),
      ),
    ),
    h(
      'label',
      {},
      _('A wrong doubt'),
      h(
        'select',
        { name: 'penalty' },
        Object.entries(names().penalties).map(([penalty, told]) => option(penalty, told, penalty === view.penalty)),
      ),
    ),
    h(
      'label',
      {},
      _('Guesses at the next card'),
      h('select', { name: 'guesses' }, option('on', _('On'), view.guesses), option('off', _('Off'), !view.guesses)),
    ),
    h(
      'label',
      {},
      _('Clock'),
      h(
        'select',
        { name: 'clock' },
        option('', shortly(null), view.clock === null),
        names().clocks.map((seconds) => option(String(seconds), shortly(seconds), view.clock === seconds)),
      ),
    ),
  );

/**
 * @param {string} value
 * @param {string} told
 * @param {boolean} selected
 */
const option = (value, told, selected) => h('option', { value, selected }, told);

/**
 * The chairs of a table before its game.
 * @param {View} view
 */
const chairs = (view) =>
  h(
    'ol',
    { class: 'chairs' },
    Array.from({ length: view.seats }, (_each, seat) => {
      const sitter = view.players.find((player) => player.seat === seat);
      if (sitter) return taken(view, sitter);
      return (view.open_seats.includes(seat) || view.locked) && free(seat);
    }),
  );

/** @param {number} seat */
const free = (seat) =>
  h(
    'li',
    { class: 'chair free', 'data-seat': seat },
    h(
      'button',
      { type: 'button', class: 'fill', 'data-do': 'fill-seat', id: `fill-${seat}`, disabled: true },
      h('span', { class: 'face', 'aria-hidden': 'true' }, '+'),
      h('b', {}, _('A free seat')),
    ),
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
    h(
      'button',
      {
        type: 'button',
        class: 'icon host-only remove',
        [sitter.level === null ? 'data-send-away' : 'data-remove-bot']: sitter.seat,
        'aria-label':
          sitter.level === null
            ? _('Ask %(name)s to leave?', { name: sitter.name })
            : _('Remove %(name)s', { name: sitter.name }),
      },
      '×',
    ),
  );
}

const closed = () => [
  h('h1', {}, _('This table is closed')),
  h('p', { class: 'lead' }, _('Nobody has played here for a long time.')),
  h('p', {}, h('a', { class: 'button primary', href: HOME }, _('Start a new table'))),
];

/** @type {Record<import('../table/messages.js').Phase, (view: View, me: number | null) => import('../shared/dom.js').Child[]>} */
const parts = { waiting, playing, over, closed };

/**
 * @param {View} view
 * @param {number | null} me the reader's own seat
 */
export const drawTable = (view, me) =>
  h(
    'section',
    { id: 'state', class: `state ${view.phase}`, 'data-seq': view.seq, 'data-phase': view.phase },
    parts[view.phase](view, me),
  );
