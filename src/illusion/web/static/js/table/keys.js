// The keys of the table. They rest while somebody types or a dialog is open; letters can be switched off.
import { $ } from '../shared/dom.js';
import { doing } from '../shared/actions.js';
import { drag } from '../shared/dragging.js';
import { choose, chosen, place, takeBack } from './placing.js';
import { gaps, mine } from './state.js';
import { setting } from '../shared/settings.js';
import { compare, comparing, look } from '../dialogs/zoom.js';

const letters = {
  d: () => doing['ask-doubt'](),
  n: () => { const next = $('#next'); if (next) look(next.dataset.look); },
  l: () => doing.reveal(),
  '?': () => doing.help(),
};

// The gap that a key leads to.
function towards(key) {
  const last = gaps().length - 1;
  switch (key) {
    case 'ArrowRight': return chosen === null ? 0 : Math.min(last, chosen + 1);
    case 'ArrowLeft': return chosen === null ? last : Math.max(0, chosen - 1);
    case 'Home': return 0;
    case 'End': return last;
    default: return null;
  }
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('dialog[open]')) return;
  if (event.target.matches('input, select, textarea')) return;
  if (event.key === 'Escape') {
    if (drag) drag.cancel();
    else if (comparing) compare(null);
    else takeBack();
    return;
  }
  const letter = letters[event.key.toLowerCase()];
  const gap = mine() && gaps().length ? towards(event.key) : null;
  if (letter) {
    if (setting('keys') !== 'on') return;
    event.preventDefault();
    letter();
  } else if (gap !== null) {
    event.preventDefault();
    choose(gap, true);
  } else if (event.key === 'Enter' && chosen !== null && !event.target.closest('button, a, summary')) {
    event.preventDefault();
    place();
  }
});
