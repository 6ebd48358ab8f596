// Bots say a short line now and then: at most one a round, by lot and by their temper, never by what they see.

import { h } from '../draw/elements.js';
import { nameOf } from '../draw/sentences.js';
import { lot } from '../shared/lot.js';
import { setting } from '../shared/settings.js';
import { _ } from '../shared/texts.js';
import { say } from '../table/live-region.js';
import { seatElement } from './reactions.js';

/** @typedef {import('../connection/messages.js').Happened} Happened */
/** @typedef {import('../connection/messages.js').View} View */

const SHOWN_MS = 3200;
const ONE_IN = 3; // rounds in which a bot speaks at all

/** @returns {string[]} */
const laying = () => [
  _('Hm… here?'),
  _('Trust me.'),
  _('Obviously.'),
  _('I think so.'),
  _('Easy!'),
  _('My eyes hurt.'),
];

/** @returns {string[]} */
const doubting = () => [_('Show me!'), _('No way.'), _('That cannot be.')];

/**
 * What a bot says about its own move, if anything.
 * @param {View} view
 * @param {Happened} happened
 * @returns {{ seat: number, line: string } | null}
 */
export function lineFor(view, happened) {
  if (happened.event !== 'card-placed' && happened.event !== 'row-doubted') return null;
  const { seat } = happened;
  if (!view.players.some((player) => player.seat === seat && player.level !== null)) return null;
  const name = nameOf(view, seat);
  if (happened.event === 'row-doubted') return { seat, line: pick(doubting(), `${view.table} ${view.round} ${name}`) };
  const chance = `${view.table} ${view.round} ${name} speaks`;
  const turns = Math.floor((view.row.length - 1) / view.players.length);
  if (lot(chance) % ONE_IN || lot(`${chance} when`) % 2 !== turns % 2 || turns > 1) return null;
  return { seat, line: pick(laying(), `${chance} what`) }; // a lot of its own, or only every third line is ever said
}

/**
 * @param {string[]} lines
 * @param {string} chance
 */
const pick = (lines, chance) => lines[lot(chance) % lines.length] ?? '';

/**
 * @param {View} view
 * @param {Happened[]} happened
 */
export function speak(view, happened) {
  if (setting('reactions') === 'muted') return;
  for (const each of happened) {
    const said = lineFor(view, each);
    const element = said && seatElement(said.seat);
    if (!said || !element) continue;
    const bubble = h('span', { class: 'bubble', 'aria-hidden': 'true' }, said.line);
    element.append(bubble);
    say(`${nameOf(view, said.seat)}: ${said.line}`);
    setTimeout(() => bubble.remove(), SHOWN_MS);
  }
}
