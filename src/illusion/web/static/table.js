// The page of a table: what can be pressed there, and the way in.
import { asked, send, toast } from './asking.js';
import { $ } from './dom.js';
import { doing } from './doing.js';
import { pointer, wasDragged } from './dragging.js';
import './keys.js';
import { choose, chosen, move, place } from './placing.js';
import { mine, state, texts } from './seats.js';
import { begin } from './state.js';
import { follow, listen } from './stream.js';
import { look } from './zoom.js';

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
