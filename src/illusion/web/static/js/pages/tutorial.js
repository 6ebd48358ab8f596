// The tutorial: three steps on one page, walked through by mouse, touch or keys.

import {
  chooseGap,
  createTutorial,
  doubt,
  gapButtons,
  goTo,
  isAsking,
  layCard,
  nextCard,
  openGaps,
  readLessons,
  renderChoice,
  renderLaid,
  renderStep,
  row,
  turnOver,
} from '../draw/lessons.js';
import { $, closest, required } from '../shared/dom.js';
import { bindDragging, gapByKey } from '../shared/gaps.js';
import { rememberLearned } from '../shared/settings.js';

/** @typedef {import('../draw/lessons.js').Step} Step */
/** @typedef {import('../draw/lessons.js').TutorialState} TutorialState */

/**
 * @param {TutorialState} state
 * @param {number} gap
 */
function choose(state, gap) {
  if (chooseGap(state, gap)) renderChoice(state);
}

/** @param {TutorialState} state */
function takeBack(state) {
  state.chosenGap = null;
  renderChoice(state);
}

/** @param {TutorialState} state */
function lay(state) {
  const outcome = layCard(state);
  if (!outcome) return;
  renderChoice(state);
  renderLaid(outcome);
}

/** @param {TutorialState} state */
function sayDoubt(state) {
  if (doubt(state)) turnOver('doubt', state.lessons.doubtedFall);
}

/**
 * @param {TutorialState} state
 * @param {Step} step
 */
function show(state, step) {
  goTo(state, step);
  renderStep(state);
  if (step === 'won') rememberLearned();
}

/**
 * A press chooses a gap; the button, or Enter on the chosen gap, lays the card. So a double click lays nothing, as at a
 * table.
 * @param {TutorialState} state
 * @param {MouseEvent} event
 */
function onClick(state, event) {
  const button = closest(event, 'button');
  if (!button) return;
  const gap = gapButtons().indexOf(button);
  if (gap >= 0) {
    if (state.chosenGap === gap && event.detail === 0) lay(state);
    else choose(state, gap);
  } else if (button.id === 'lay') lay(state);
  else if (button.id === 'take-back') takeBack(state);
  else if (button.id === 'say-doubt') sayDoubt(state);
  else if (button.dataset.step) show(state, /** @type {Step} */ (button.dataset.step));
}

/**
 * @param {TutorialState} state
 * @param {KeyboardEvent} event
 */
function onKey(state, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $('dialog[open]')) return;
  const gap = gapByKey(openGaps(state), state.chosenGap, event.key);
  if (gap !== null) {
    event.preventDefault();
    choose(state, gap);
    gapButtons()[gap]?.focus();
  } else if (event.key === 'Escape' && isAsking(state, 'place')) {
    takeBack(state);
  } else if (event.key.toLowerCase() === 'd' && isAsking(state, 'doubt')) {
    event.preventDefault();
    sayDoubt(state);
  }
}

const lessons = required('.lessons', HTMLElement);
const asServed = lessons.innerHTML;
const state = createTutorial(readLessons());

lessons.addEventListener('click', (event) => {
  if (closest(event, '#again')) lessons.innerHTML = asServed;
  onClick(state, event);
});
document.addEventListener('keydown', (event) => onKey(state, event));
bindDragging(state.drag, {
  area: lessons,
  handle: '.next-card .card-front',
  pick: () => (isAsking(state, 'place') ? { card: nextCard(), gaps: gapButtons(), row: row() } : null),
  onLift: () => takeBack(state),
  onDrop: (gap) => {
    if (gap) choose(state, gapButtons().indexOf(gap));
  },
});
