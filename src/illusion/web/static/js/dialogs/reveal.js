// The row turned over, card after card.
import { $, $$, wait } from '../shared/dom.js';
import { doing } from '../shared/actions.js';
import { state, texts } from '../table/state.js';
import { calm } from '../shared/settings.js';

export const reveal = $('#reveal');
const all = $('[data-do=turn-all]', reveal); // nothing can be pressed on a shared screen
const on = $('[data-do=go-on]', reveal);
let skipped = false;

// Returns once everything is shown. The dialog is open as soon as this has been called.
export async function turnOver(animated) {
  const source = $('.last-row');
  if (!source || reveal.open) return;
  const content = $('.content', reveal);
  content.replaceChildren(source.content.cloneNode(true));
  const cards = $$('.turned', content);
  const verdict = $('.verdict', content);
  skipped = !animated || calm();
  if (on) [all.hidden, all.textContent, on.textContent] = [true, texts.pictures, texts.skip];
  if (!skipped) {
    cards.forEach((card) => card.classList.add('veiled'));
    verdict.classList.add('waits');
  }
  $$('.zoom[open], .ask[open]:not(.settings)').forEach((dialog) => dialog.close());
  reveal.showModal();
  on?.focus();
  if (!skipped) await pause(700);
  for (const card of cards) {
    card.classList.add('open');
    card.classList.remove('veiled');
    if (skipped) continue;
    card.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    count($('.figure', card));
    await pause(card.classList.contains('fall') ? 1100 : 520);
  }
  verdict.classList.remove('waits');
  if (on) [all.hidden, on.textContent] = [false, texts.goOn];
  reveal.dispatchEvent(new Event('shown'));
  if (!skipped) verdict.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  skipped = true;
}

async function pause(ms) {
  for (let spent = 0; spent < ms && !skipped; spent += 40) await wait(40);
}

function count(figure) {
  const goal = Number(figure.dataset.share);
  const began = performance.now();
  const step = (now) => {
    const part = skipped ? 1 : Math.max(0, Math.min(1, (now - began) / 420));
    figure.textContent = Math.round(goal * part);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

reveal.addEventListener('cancel', (event) => { if (!skipped) { event.preventDefault(); skipped = true; } });
reveal.addEventListener('close', () => {
  skipped = true;
  if (!document.activeElement || document.activeElement === document.body) $('.turn', state())?.focus({ preventScroll: true });
});
reveal.addEventListener('click', ({ target }) => {
  const card = target.closest('[data-turn]')?.closest('.turned');
  if (card && skipped) card.classList.toggle('open');
});

doing.reveal = () => turnOver(false);
doing['go-on'] = () => { if (skipped) reveal.close(); else skipped = true; };
doing['turn-all'] = () => {
  const open = all.textContent === texts.numbers;
  all.textContent = open ? texts.pictures : texts.numbers;
  $$('.turned', reveal).forEach((card) => card.classList.toggle('open', open));
};
