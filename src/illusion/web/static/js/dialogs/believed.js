// After a reveal: what each bot believed it saw, beside the truth.
import { $, $$ } from '../shared/dom.js';
import { doing } from '../shared/actions.js';
import { reveal } from './reveal.js';
import { id } from '../table/state.js';

const button = $('[data-do=believed]', reveal);

function saw(seat, share) {
  const line = document.createElement('p');
  const face = $(`.player[data-seat="${seat}"] .bot-face`).cloneNode();
  face.alt = $(`.player[data-seat="${seat}"] b`).textContent.trim();
  line.className = 'saw';
  line.append(face, `${share} %`);
  return line;
}

reveal.addEventListener('shown', () => {
  button.hidden = !$('.player .bot-face');
  button.setAttribute('aria-pressed', 'false');
});
reveal.addEventListener('close', () => { button.hidden = true; });

doing.believed = async () => {
  const shown = $$('.saw', reveal);
  button.setAttribute('aria-pressed', String(!shown.length));
  if (shown.length) return shown.forEach((line) => line.remove());
  const answer = await fetch(`/api/tables/${id}/believed`).catch(() => null);
  const { believed } = answer?.ok ? await answer.json() : { believed: [] };
  const cards = $$('.turned', reveal);
  for (const { seat, shares } of believed) {
    if (shares.length === cards.length) cards.forEach((card, at) => card.append(saw(seat, shares[at])));
  }
};
