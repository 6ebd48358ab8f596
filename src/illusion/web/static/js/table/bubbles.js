// Bubbles at seats: reactions (also in the reveal, which covers the seats), and what bots say.
import { hashOf } from '../draw/players.js';
import { nameOf } from '../draw/words.js';
import { $, $$, closest, drawing, h, the } from '../shared/dom.js';
import { setting } from '../shared/settings.js';
import { _, format, names } from '../shared/texts.js';
import { say, send } from './notices.js';
import { peopleAt } from './state.js';

/** @typedef {import('./messages.js').Happened} Happened */
/** @typedef {import('./messages.js').ReactionMessage} ReactionMessage */
/** @typedef {import('./state.js').TableState} TableState */
/** @typedef {import('./messages.js').View} View */

const REACTION_MS = 4500;
const ANSWER_MS = 1200; // until a bot answers a reaction

/**
 * A seat's element on the page.
 * @param {number} seat
 * @param {ParentNode} [root]
 */
export const seatElement = (seat, root = document) =>
  $(`.player[data-seat="${seat}"], .chair[data-seat="${seat}"]`, root);

/**
 * Shows current reactions at their seats.
 * @param {TableState} state
 * @param {ParentNode} root
 */
export function showFaces(state, root) {
  for (const old of $$('.says', root)) old.remove();
  for (const [seat, face] of state.faces) {
    seatElement(seat, root)?.append(h('span', { class: 'says', 'aria-hidden': 'true' }, drawing(`reaction-${face}`)));
  }
}

/**
 * @param {TableState} state
 * @param {ReactionMessage} message
 */
export function showReaction(state, { seat, reaction }) {
  const words = names().reactionWords[reaction];
  const table = the('#table', HTMLElement);
  const name = nameOf(state.view, seat);
  if (!words || !name || setting('reactions') === 'muted') return;
  state.faces.set(seat, reaction);
  showFaces(state, table);
  const shape = $('.seat-shape', seatElement(seat, table) ?? table);
  const chip = h('span', {}, shape?.cloneNode(true), name, drawing(`reaction-${reaction}`));
  $('.shelf')?.append(chip);
  say(format(words, { name }));
  const answer = botAnswer(state.view, { seat, reaction });
  if (answer) setTimeout(showReaction, ANSWER_MS, state, answer);
  setTimeout(() => {
    if (state.faces.get(seat) === reaction) state.faces.delete(seat);
    showFaces(state, table);
    chip.remove();
  }, REACTION_MS);
}

/** @type {Record<string, string[]>} */
const ANSWERS = {
  clap: ['heart', 'laugh'],
  laugh: ['laugh', 'wow'],
  wow: ['think', 'clap'],
  think: ['think', 'oops'],
  oops: ['laugh', 'heart'],
  heart: ['heart', 'clap'],
};

/**
 * The bot that answers the reaction of somebody alone with bots: the same one on all screens.
 * @param {View} view
 * @param {ReactionMessage} message
 * @returns {ReactionMessage | null}
 */
export function botAnswer(view, { seat, reaction }) {
  const bots = view.players.filter(({ level }) => level !== null);
  const chance = hashOf(`${view.table} ${view.seq} ${reaction}`);
  const bot = bots[chance % bots.length];
  const answers = ANSWERS[reaction] ?? [];
  const answer = answers[hashOf(`${chance}`) % answers.length];
  if (!bot || !answer || peopleAt(view) > 1 || bots.some((each) => each.seat === seat)) return null;
  return { seat: bot.seat, reaction: answer };
}

/** @param {TableState} state */
export function bindReactions(state) {
  document.addEventListener('click', (event) => {
    const reaction = closest(event, '[data-react]')?.dataset.react;
    if (reaction) send(state, 'POST', 'reactions', { reaction });
  });
}

// Bots say a short line now and then: at most one a round, depending on chance and temper, never on what they see.

const LINE_MS = 3200;
const ONE_IN = 3; // rounds: in one of them a bot speaks

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
  if (hashOf(chance) % ONE_IN || hashOf(`${chance} when`) % 2 !== turns % 2 || turns > 1) return null;
  return { seat, line: pick(laying(), `${chance} what`) }; // another hash: that of `chance` would choose only every third line
}

/**
 * @param {string[]} lines
 * @param {string} chance
 */
const pick = (lines, chance) => lines[hashOf(chance) % lines.length] ?? '';

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
    setTimeout(() => bubble.remove(), LINE_MS);
  }
}
