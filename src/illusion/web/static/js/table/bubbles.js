// Bubbles at seats: reactions (also in the reveal, which covers the seats), and what bots say. And what one plays for, said
// once on each device: three bubbles at its first table, which stand where else is told what happened last, and cover nothing.
import { face, hashOf } from '../draw/players.js';
import { nameOf } from '../draw/words.js';
import { $, $$, arrow, closest, drawing, h, required } from '../shared/dom.js';
import { firstGame, rememberFirstGame, setting } from '../shared/settings.js';
import { _, format, names } from '../shared/texts.js';
import { say, send } from './notices.js';
import { peopleAt } from './state.js';

/** @typedef {import('../shared/settings.js').FirstGame} FirstGame */
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
  const table = required('#table', HTMLElement);
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

const INSTRUCTED_TURNS = 3; // so long it is said at each turn what to do

/**
 * What is to be said now, if anything.
 * @param {View} view
 * @param {readonly number[]} held
 * @param {FirstGame} known
 * @returns {string | null}
 */
export function nextLesson(view, held, { told }) {
  if (!held.length || view.phase !== 'playing') return null;
  if (!told.includes('row')) return 'row';
  if (!told.includes('arrow') && view.arrows_won.some((won) => won.length)) return 'arrow';
  const mayDoubt = view.to_play !== null && held.includes(view.to_play) && view.legal.doubt;
  return mayDoubt && !told.includes('doubt') ? 'doubt' : null;
}

/**
 * Whether a turn of this device has ended.
 * @param {readonly number[]} held
 * @param {View} before
 * @param {View} view
 */
const hasEndedTurn = (held, before, view) =>
  before.phase === 'playing' &&
  before.to_play !== null &&
  held.includes(before.to_play) &&
  (before.to_play !== view.to_play || before.row.length !== view.row.length || before.round !== view.round);

/**
 * Whatever was said before somebody's turn is over has been told.
 * @param {TableState} state
 * @param {HTMLElement} section
 * @param {View} view
 */
export function teach(state, section, view) {
  const { held } = state;
  if (hasEndedTurn(held, state.view, view)) {
    const stored = firstGame();
    const known = stored && stored.turns < state.known.turns ? stored : state.known; // all is to be told again
    state.known = known;
    known.turns += 1;
    if (state.lesson) known.told.push(state.lesson);
    state.lesson = null;
    rememberFirstGame(known);
  }
  state.lesson ??= nextLesson(view, held, state.known);
  section.classList.toggle('novice', held.length > 0 && state.known.turns < INSTRUCTED_TURNS);
  if (state.lesson) $('.acts .turn', section)?.after(lessonBubble(view, state.lesson));
}

/**
 * @param {View} view
 * @param {string} lesson
 */
function lessonBubble(view, lesson) {
  const bot = view.players.find(({ level }) => level !== null);
  const colour = view.arrows_won.find((won) => won.length)?.at(-1);
  const drawn = lesson === 'arrow' ? colour && arrow(colour) : bot && face(bot);
  return h('p', { class: 'lesson' }, drawn, h('span', {}, lessonSentence(view, lesson)));
}

/**
 * @param {View} view
 * @param {string} lesson
 */
function lessonSentence({ arrow: colour, end }, lesson) {
  if (lesson === 'row')
    return _('Least %(colour)s left, most %(colour)s right.', { colour: names().colours[colour ?? 'red'] });
  if (lesson === 'doubt') return _('Somebody wrong? Say so: right, and the arrow is yours.');
  return end.arrows_to_win === null
    ? _('Whoever has most of these after %(num)s rounds wins.', { num: end.rounds })
    : _('Whoever has %(num)s of these wins.', { num: end.arrows_to_win });
}
