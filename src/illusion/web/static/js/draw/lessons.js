// The state of the tutorial, in one object, and its rendering. Right gaps and falls come from the server, in the page's data.
import { $, $$, required } from '../shared/dom.js';
import { noDrag } from '../shared/gaps.js';

/** @typedef {import('../shared/gaps.js').DragState} DragState */

/** @typedef {'place' | 'doubt' | 'won'} Step */

/**
 * Facts about the lessons' rows. A fall is the index of the first card that shows less than the one before it, or null in a
 * right row.
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
 * Whether this step is the current one and unanswered.
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

const TURN_MS = 250; // between two cards

const lesson = (/** @type {string} */ step) => required(`#${step}`, HTMLElement);
export const gapButtons = () => $$('#place .gap');
export const nextCard = () => required('.next-card .card-front', HTMLElement);
export const row = () => required('#place .row', HTMLElement);

/** @returns {Lessons} */
export const readLessons = () => ({
  fallsByGap: gapButtons().map(({ dataset }) => fallOf(dataset.fall)),
  doubtedFall: fallOf(required('#doubt .row', HTMLElement).dataset.fall),
});

/** @param {string | undefined} text */
const fallOf = (text) => (text ? Number(text) : null);

/** @param {TutorialState} state */
export function renderChoice({ chosenGap }) {
  const gap = chosenGap === null ? undefined : gapButtons()[chosenGap];
  clearChoice(lesson('place'));
  required('.confirm', HTMLElement).hidden = !gap;
  if (gap) showChoice(gap, nextCard());
}

/**
 * Shows the card in the chosen gap as a ghost.
 * @param {HTMLElement} gap
 * @param {HTMLElement} card
 */
function showChoice(gap, card) {
  const ghost = /** @type {HTMLImageElement} */ (card.cloneNode());
  ghost.className = 'card ghost';
  ghost.alt = '';
  gap.append(ghost);
  gap.classList.add('chosen');
  gap.setAttribute('aria-pressed', 'true');
}

/** @param {ParentNode} root */
function clearChoice(root) {
  for (const gap of $$('.gap.chosen', root)) {
    gap.replaceChildren();
    gap.classList.remove('chosen');
    gap.removeAttribute('aria-pressed');
  }
}

/** @param {Outcome} outcome */
export function renderLaid({ gap, fall, rightGap }) {
  const card = required('.next-card .turned', HTMLElement);
  card.classList.add('mine');
  gapButtons()[gap]?.closest('li')?.after(card);
  if (fall !== null) showWhereItBelongs(rightGap);
  for (const button of gapButtons()) button.hidden = true;
  for (const verdict of $$('#place .verdict'))
    verdict.hidden = verdict.dataset.if !== (fall === null ? 'right' : 'wrong');
  turnOver('place', fall);
}

/** @param {number} rightGap */
function showWhereItBelongs(rightGap) {
  const place = $$('#place .place')[rightGap];
  if (place) required('.slot', HTMLElement, place).hidden = false;
}

/**
 * Shows the shares, marks the fall, and explains it in a sentence.
 * @param {'place' | 'doubt'} step
 * @param {number | null} fall
 */
export function turnOver(step, fall) {
  const cards = $$('.row .turned', lesson(step));
  for (const [at, card] of cards.entries()) {
    const share = required('.share', HTMLElement, card);
    card.classList.add('told');
    card.classList.toggle('fall', at === fall);
    card.style.setProperty('--wait', `${at * TURN_MS}ms`);
    card.style.setProperty('--share', `${card.dataset.share}%`);
    required('.card-front', HTMLImageElement, card).alt += `: ${share.textContent}`;
    share.hidden = false;
    required('.fall-mark', HTMLElement, card).hidden = at !== fall;
  }
  required('.ask-place, .ask-doubt', HTMLElement, lesson(step)).hidden = true;
  required('.outcome', HTMLElement, lesson(step)).hidden = false;
  const shares = cards.map((card) => required('.share', HTMLElement, card).textContent);
  say(`${shares.join(', ')}.`, required('.verdict:not([hidden])', HTMLElement, lesson(step)).textContent);
  required('.outcome .button', HTMLElement, lesson(step)).focus();
}

/** @param {TutorialState} state */
export function renderStep({ step }) {
  for (const each of $$('.lesson')) each.hidden = each.id !== step;
  required('#skip', HTMLElement).hidden = step === 'won';
  scrollTo(0, 0);
  required('h1', HTMLElement, lesson(step)).focus();
  say($('.step', lesson(step))?.textContent, $('.lead', lesson(step))?.textContent);
}

/** @param {(string | null | undefined)[]} sentences */
function say(...sentences) {
  required('#said', HTMLElement).textContent = sentences.map((text) => text?.trim()).join(' ');
}
