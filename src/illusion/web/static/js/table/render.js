// The state of the table: what the server sent, dressed for whoever looks at it, and put in place of the old one.
import { wind } from './clock.js';
import { $, $$ } from '../shared/dom.js';
import { drag } from '../shared/dragging.js';
import { paint } from '../shared/pictures.js';
import { anew, choose, chosen, show } from './placing.js';
import { wear } from './reactions.js';
import { reveal } from '../dialogs/reveal.js';
import { held, isMe, main, mine, seq, state, texts } from './state.js';
import { calm } from '../shared/settings.js';
import { chime } from './sound.js';

const title = document.title;
let wasMine = false;

function dress(section) {
  const { phase, toPlay, host } = section.dataset;
  const turn = phase === 'playing' && toPlay !== '' && held.includes(Number(toPlay));
  section.classList.toggle('mine', turn);
  section.classList.toggle('handed', turn && held.length > 1);
  section.classList.toggle('hosting', host !== '' && held.includes(Number(host)));
  section.classList.toggle('seated', held.length > 0);
  for (const seat of $$('[data-seat]', section)) seat.classList.toggle('me', isMe(seat.dataset.seat));
  for (const gap of $$('.gap', section)) gap.disabled = !turn || !section.dataset.next;
  for (const row of $$('.shown .turned', section)) row.classList.add('open');
  const doubt = $('.doubt', section);
  if (doubt) doubt.disabled = !turn || !doubt.dataset.possible;
  const heading = $('.turn', section);
  if (heading && turn) heading.textContent = held.length > 1 ? heading.dataset.handed : heading.dataset.yours;
  paint(section);
  wear(section);
  wind(section);
  return section;
}

function settled(fresh) {
  const { phase } = state().dataset;
  document.body.classList.toggle('playing-now', phase !== 'waiting');
  if (phase !== 'waiting') $('#main').classList.remove('with-invite');
  const away = phase === 'playing' && held.length > 0 && held.every((seat) => $(`.player.away[data-seat="${seat}"]`));
  if ($('#back')) $('#back').hidden = !away;
  const card = fresh && $(`.row [data-look="${fresh}"]`);
  if (card) {
    card.classList.add('fresh');
    show(card);
  }
  main.dispatchEvent(new Event('settled'));
  notice();
}

// Our turn is in the page's title, and is heard.
function notice() {
  document.title = mine() ? `${texts.title} · ${title}` : title;
  if (reveal.open) return;
  if (mine() && !wasMine) chime();
  wasMine = mine();
}
reveal.addEventListener('close', notice);

// Only cards wholly in sight move; one that is cut off would otherwise fly above the edge.
function named(on) {
  const frame = $('#scroller')?.getBoundingClientRect();
  for (const card of $$('[data-card]', main)) {
    const box = card.getBoundingClientRect();
    const inside = frame && !card.matches('.lifted') && (!card.closest('.row') || (box.left >= frame.left && box.right <= frame.right));
    card.style.viewTransitionName = on && inside ? `card-${card.dataset.card}` : '';
  }
}

export async function replace(html, fresh) {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const next = dress($('#state', holder.content));
  const old = state();
  if (movedChairs(old, next)) return location.reload();
  const sameRow = ['next', 'row', 'toPlay'].every((name) => old.dataset[name] === next.dataset[name]);
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const keep = { gap: sameRow ? chosen : null, level: $('#level')?.value, left: $('#scroller')?.scrollLeft ?? 0 };
  const swap = () => {
    drag?.cancel();
    anew();
    old.replaceWith(next);
    if ($('#scroller') && old.dataset.round === next.dataset.round) $('#scroller').scrollLeft = keep.left;
    if ($('#level') && keep.level) $('#level').value = keep.level;
    if (keep.gap !== null && mine()) choose(keep.gap);
    if (focus) again(focus)?.focus({ preventScroll: true });
  };
  if (document.startViewTransition && !calm() && !$('dialog[open]') && document.visibilityState === 'visible') {
    named(true);
    const moving = document.startViewTransition(() => { swap(); named(true); });
    moving.ready.catch(() => {});
    await moving.updateCallbackDone;
    moving.finished.finally(() => named(false));
  } else {
    swap();
  }
  return settled(fresh);
}

// What had the focus has it again; if that is gone, the heading that says whose turn it is.
function again(focus) {
  const { gap, look } = focus.dataset;
  const same = focus.id ? document.getElementById(focus.id)
    : gap ? $(`.gap:enabled[data-gap="${gap}"]`) : look ? $(`.row [data-look="${look}"]`) : null;
  return same && !same.disabled ? same : $('.turn, h1', state());
}

// When the cards are dealt a seat may get another number, as free chairs are taken away: then ask the server anew. Names
// are all different at a table.
function movedChairs(old, next) {
  if (old.dataset.phase !== 'waiting' || next.dataset.phase === 'waiting') return false;
  const sitting = (section, seat) => $(`[data-seat="${seat}"] b`, section)?.textContent.trim();
  return held.some((seat) => sitting(old, seat) !== sitting(next, seat));
}

export const isNewer = (number) => number > seq();

export function begin() {
  dress(state());
  settled();
}
