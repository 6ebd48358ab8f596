// A table that waits for its people, and one that is closed.
import { _, names } from '../shared/texts.js';
import { h } from './elements.js';
import { chairs } from './players.js';
import { nameOf } from './sentences.js';

/** @typedef {import('../connection/messages.js').View} View */

const USUAL_LEVEL = 'casual';

/** @param {View} view */
export const waiting = (view) => [
  h('h1', { tabindex: -1 }, _('The table is set')),
  h(
    'p',
    { class: 'lead' },
    names().variantSentences[view.variant],
    view.clock !== null && ` ${_('%(seconds)s seconds a turn.', { seconds: view.clock })}`,
  ),
  chairs(view),
  h(
    'div',
    { class: 'host-only host-bar' },
    view.players.length < view.seats && botForm(),
    arrangement(view),
    h(
      'button',
      { type: 'button', class: 'button primary big', id: 'start', 'data-do': 'start', disabled: !view.can_start },
      _('Start the game'),
    ),
    !view.can_start && h('p', { class: 'soft' }, _('Two players are enough to start.')),
  ),
  h(
    'p',
    { class: 'guest-only soft' },
    view.host === null
      ? _('Waiting for somebody to start.')
      : _('Waiting for %(name)s to start the game.', { name: nameOf(view, view.host) }),
  ),
];

const botForm = () =>
  h(
    'form',
    { class: 'bot-form', 'data-add-bot': true },
    h(
      'label',
      {},
      _('A bot for the free seat'),
      h(
        'select',
        { name: 'level', id: 'level' },
        Object.entries(names().levels).map(([level, told]) => option(level, told, level === USUAL_LEVEL)),
      ),
    ),
    h('button', { class: 'button' }, _('Add a bot')),
  );

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
      _('Clock'),
      h(
        'select',
        { name: 'clock' },
        option('', _('Off'), view.clock === null),
        names().clocks.map((seconds) =>
          option(String(seconds), _('%(seconds)s seconds a turn', { seconds }), view.clock === seconds),
        ),
      ),
    ),
  );

/**
 * @param {string} value
 * @param {string} told
 * @param {boolean} selected
 */
const option = (value, told, selected) => h('option', { value, selected }, told);

export const closed = () => [
  h('h1', {}, _('This table is closed')),
  h('p', { class: 'lead' }, _('Nobody has played here for a long time.')),
  h('p', {}, h('a', { class: 'button primary', href: '/' }, _('Start a new table'))),
];
