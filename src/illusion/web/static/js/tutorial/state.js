// What the tutorial knows, in one object. The functions here read and change it and touch nothing else. Which gap is right
// and where a row falls comes from the server, in the page's data.
import { noDrag } from '../shared/dragging.js';

/** @typedef {import('../shared/dragging.js').DragState} DragState */
/** @typedef {'place' | 'doubt' | 'won'} Step */

/**
 * What the server says about the lessons' rows. A fall is the place of the first card that shows less than the one before
 * it; null where the row is right.
 * @typedef {object} Lessons
 * @property {(number | null)[]} fallsByGap the fall of the first row with the next card laid in each gap
 * @property {number | null} doubtedFall the fall of the row to doubt
 */

/**
 * @typedef {object} TutorialState
 * @property {Lessons} lessons
 * @property {Step} step
 * @property {boolean} answered whether the row of this step has been turned over
 * @property {number | null} chosenGap chosen, and not yet laid
 * @property {DragState} drag
 */

/**
 * @param {Lessons} lessons
 * @returns {TutorialState}
 */
export const createTutorial = (lessons) => ({
  lessons,
  step: 'place',
  answered: false,
  chosenGap: null,
  drag: noDrag(),
});

/**
 * Whether a step waits for its answer.
 * @param {TutorialState} state
 * @param {Step} step
 */
export const isAsking = (state, step) => state.step === step && !state.answered;

/**
 * The gaps that can be chosen now.
 * @param {TutorialState} state
 */
export const openGaps = (state) => (isAsking(state, 'place') ? [...state.lessons.fallsByGap.keys()] : []);

/**
 * @param {TutorialState} state
 * @param {number} gap
 */
export function chooseGap(state, gap) {
  if (!openGaps(state).includes(gap)) return false;
  state.chosenGap = gap;
  return true;
}

/**
 * @typedef {object} Outcome
 * @property {number} gap where the card was laid
 * @property {number | null} fall of the row that this made
 * @property {number} rightGap
 */

/**
 * Lays the card into the chosen gap.
 * @param {TutorialState} state
 * @returns {Outcome | null}
 */
export function layCard(state) {
  const { chosenGap: gap, lessons } = state;
  if (gap === null) return null;
  state.chosenGap = null;
  state.answered = true;
  return { gap, fall: lessons.fallsByGap[gap] ?? null, rightGap: lessons.fallsByGap.indexOf(null) };
}

/** @param {TutorialState} state */
export function doubt(state) {
  if (!isAsking(state, 'doubt')) return false;
  state.answered = true;
  return true;
}

/**
 * @param {TutorialState} state
 * @param {Step} step
 */
export function goTo(state, step) {
  state.step = step;
  state.answered = false;
  state.chosenGap = null;
}
