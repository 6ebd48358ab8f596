// A gap is chosen first and can be taken back; then the card is placed.
import { send } from './requests.js';
import { $, $$ } from '../shared/dom.js';
import { doing } from '../shared/actions.js';
import { mine, seq } from './state.js';
import { calm } from '../shared/settings.js';

export let chosen = null; // the gap chosen, not yet placed
export let busy = false;

export async function move(body) {
  if (busy || !mine()) return;
  busy = true;
  if (!await send('POST', 'moves', { ...body, seq: seq() })) takeBack();
  busy = false;
}

export function choose(gap, focus = false) {
  if (busy || !mine()) return;
  takeBack();
  const button = $(`.gap[data-gap="${gap}"]`);
  const card = $('#next .card');
  if (!button || !card) return;
  chosen = gap;
  const ghost = card.cloneNode();
  ghost.className = 'card ghost';
  ghost.alt = '';
  button.append(ghost);
  button.classList.add('chosen');
  button.setAttribute('aria-pressed', 'true');
  card.classList.add('lifted');
  $('.confirm').hidden = false;
  if (focus) button.focus({ preventScroll: true });
  show(button);
}

export function takeBack() {
  chosen = null;
  for (const button of $$('.gap.chosen')) {
    button.replaceChildren();
    button.classList.remove('chosen');
    button.removeAttribute('aria-pressed');
  }
  $('#next .lifted')?.classList.remove('lifted');
  const confirm = $('.confirm');
  if (confirm) confirm.hidden = true;
}

// A new state has come, perhaps before the answer to our move.
export function anew() {
  busy = false;
  takeBack();
}

export const place = () => { if (chosen !== null) move({ move: 'place', gap: chosen }); };

// Bring a part of the row into the middle.
export function show(element) {
  const scroller = $('#scroller');
  if (!scroller) return;
  const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const left = scroller.scrollLeft + box.left + box.width / 2 - view.left - view.width / 2;
  scroller.scrollTo({ left, behavior: calm() ? 'auto' : 'smooth' });
}

doing.place = place;
doing['take-back'] = takeBack;
