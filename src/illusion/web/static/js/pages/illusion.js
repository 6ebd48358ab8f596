// The greatest illusion of a game, shared with somebody who was not there: a guess first, and only then is it asked for what
// it is.
import { guessSlider, showGuess } from '../draw/guesses.js';
import { illusionTold } from '../draw/words.js';
import { h, required } from '../shared/dom.js';
import { apiTable, request } from '../shared/server.js';
import { _, names, pageData, percent } from '../shared/texts.js';

/** @typedef {{ table: string, arrow: import('../table/messages.js').Colour }} Page */

const page = /** @type {Page} */ (pageData('page'));
const form = required('#guessing', HTMLFormElement);
const told = required('#told', HTMLElement);
const bar = guessSlider(names().colours[page.arrow]);
const button = h('button', { class: 'button primary big', disabled: true }, _('That is my guess'));

/** @param {number} guess */
async function reveal(guess) {
  button.disabled = true;
  const { answer, refusal } = await request('GET', apiTable(page.table, ''));
  const shown = /** @type {import('../table/messages.js').Illusion | undefined} */ (answer.summary?.worst_illusion);
  button.disabled = false;
  told.hidden = false;
  if (!shown) return told.replaceChildren(refusal);
  const [truth, mark] = [h('i'), h('b', { class: 'guess-mark' })];
  truth.style.width = `${shown.share}%`;
  mark.style.left = `${guess}%`;
  told.replaceChildren(
    h('span', { class: 'bar', 'aria-hidden': 'true' }, truth, mark),
    h('b', { class: 'share' }, percent(shown.share)),
    h('span', {}, _('You said %(share)s.', { share: percent(guess) })),
    h('span', {}, illusionTold(shown)),
  );
  form.hidden = true;
  required('#after', HTMLElement).hidden = false;
  told.focus({ preventScroll: true });
  return undefined;
}

form.append(bar, button);
bar.hidden = false;
showGuess(bar, null);
for (const touch of ['input', 'click']) {
  bar.addEventListener(touch, () => {
    showGuess(bar, required('#guess', HTMLInputElement).valueAsNumber);
    button.disabled = false;
  });
}
form.addEventListener('submit', (event) => {
  event.preventDefault();
  reveal(required('#guess', HTMLInputElement).valueAsNumber);
});
