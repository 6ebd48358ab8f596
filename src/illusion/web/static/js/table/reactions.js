// Quick reactions, shown for a moment at the sender's seat, and in the reveal while it lies over the seats.
import { send } from './requests.js';
import { $, $$ } from '../shared/dom.js';
import { say } from './live-region.js';
import { main } from './state.js';
import { setting } from '../shared/settings.js';

const SHOWN = 4500;
const faces = new Map(); // what each seat shows just now

const chair = (seat, root) => $(`.player[data-seat="${seat}"], .chair[data-seat="${seat}"]`, root);

// Put the faces of the moment on a table that has just come.
export function wear(section) {
  for (const old of $$('.says', section)) old.remove();
  for (const [seat, face] of faces) {
    const bubble = document.createElement('span');
    bubble.className = 'says';
    bubble.setAttribute('aria-hidden', 'true');
    bubble.textContent = face;
    chair(seat, section)?.append(bubble);
  }
}

export function reacted({ seat, reaction }) {
  const words = $(`#reaction-words [data-reaction="${reaction}"]`);
  const name = $('b', chair(seat, main) ?? main)?.textContent.trim();
  if (!words || !name || setting('reactions') === 'muted') return;
  const { face } = words.dataset;
  faces.delete(seat);
  faces.set(seat, face);
  wear(main);
  const chip = document.createElement('span');
  chip.append($('.seat-shape', chair(seat, main)).cloneNode(true), `${name} ${face}`);
  $('.shelf')?.append(chip);
  say(words.textContent.replace('%(name)s', name));
  setTimeout(() => {
    if (faces.get(seat) === face) faces.delete(seat);
    wear(main);
    chip.remove();
  }, SHOWN);
}

document.addEventListener('click', ({ target }) => {
  const reaction = target.closest('[data-react]')?.dataset.react;
  if (reaction) send('POST', 'reactions', { reaction });
});
