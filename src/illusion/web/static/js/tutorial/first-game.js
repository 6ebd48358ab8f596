// What one plays for, said once on each device: three bubbles at its first table, which stand where else is told what happened
// last, and cover nothing.
import { face } from '../draw/players.js';
import { $, arrow, h } from '../shared/dom.js';
import { firstGame, rememberFirstGame } from '../shared/settings.js';
import { _, names } from '../shared/texts.js';

/** @typedef {import('../shared/settings.js').FirstGame} FirstGame */
/** @typedef {import('../table/messages.js').View} View */
/** @typedef {import('../table/state.js').TableState} TableState */

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
  if (state.lesson) $('.acts .turn', section)?.after(bubble(view, state.lesson));
}

/**
 * @param {View} view
 * @param {string} lesson
 */
function bubble(view, lesson) {
  const bot = view.players.find(({ level }) => level !== null);
  const colour = view.arrows_won.find((won) => won.length)?.at(-1);
  const drawn = lesson === 'arrow' ? colour && arrow(colour) : bot && face(bot);
  return h('p', { class: 'lesson' }, drawn, h('span', {}, sentence(view, lesson)));
}

/**
 * @param {View} view
 * @param {string} lesson
 */
function sentence({ arrow: colour, end }, lesson) {
  if (lesson === 'row')
    return _('Least %(colour)s left, most %(colour)s right.', { colour: names().colours[colour ?? 'red'] });
  if (lesson === 'doubt') return _('Somebody wrong? Say so: right, and the arrow is yours.');
  return end.arrows_to_win === null
    ? _('Whoever has most of these after %(num)s rounds wins.', { num: end.rounds })
    : _('Whoever has %(num)s of these wins.', { num: end.arrows_to_win });
}
