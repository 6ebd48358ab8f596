// The page of a table: what can be pressed there, and the way in.
import { asked, send, toast } from '../table/requests.js';
import { $ } from '../shared/dom.js';
import { doing } from '../shared/actions.js';
import { pointer, wasDragged } from '../shared/dragging.js';
import '../dialogs/believed.js';
import '../table/keys.js';
import { choose, chosen, move, place } from '../table/placing.js';
import { mine, state, texts } from '../table/state.js';
import { begin } from '../table/render.js';
import { follow, listen } from '../table/stream.js';
import { look } from '../dialogs/zoom.js';

Object.assign(doing, {
  help: () => $('#help').showModal(),
  'ask-doubt': () => { if (mine() && !$('.doubt').disabled) asked('ask-doubt', () => move({ move: 'doubt' })); },
  'ask-leave': () => asked('ask-leave', async () => {
    await send('DELETE', 'seats/me', undefined, true);
    location.href = '/';
  }),
  'come-back': () => send('PUT', 'seats/me'),
  start: () => send('POST', 'start'),
  rematch: async () => {
    const other = state().dataset.rematch;
    if (other) return follow(other);
    const told = await send('POST', 'rematch');
    if (told) location.href = `/table/${told.table}`;
  },
  share: async () => {
    const link = $('#link');
    if (navigator.share) return navigator.share({ title: document.title, url: link.value }).catch(() => {});
    try { await navigator.clipboard.writeText(link.value); } catch { link.select(); document.execCommand('copy'); }
    return toast(texts.copied);
  },
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  const { gap, look: card, removeBot } = button?.dataset ?? {};
  if (gap !== undefined) {
    if (chosen !== Number(gap)) choose(Number(gap));
    else if (event.detail === 0 || pointer === 'mouse') place(); // a second tap is no press: "Place here" is
  } else if (card) {
    if (!wasDragged()) look(card);
  } else if (removeBot) {
    send('DELETE', `bots/${removeBot}`);
  } else if (button?.matches('.shown [data-turn]')) {
    button.closest('.turned').classList.toggle('open');
  }
});

document.addEventListener('change', ({ target }) => {
  const form = target.closest('[data-arrange]');
  if (form) send('PUT', '', { variant: form.variant.value, clock: form.clock.value ? Number(form.clock.value) : null });
});

document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-add-bot]')) return;
  event.preventDefault();
  send('POST', 'bots', { level: event.target.level.value });
});

const sharer = $('[data-do=share]');
if (sharer && navigator.share) sharer.textContent = sharer.dataset.share;
begin();
listen();
