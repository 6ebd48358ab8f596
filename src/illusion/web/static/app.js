// The pages' one module. The server sends the same table to everybody; which seats are ours is known here only.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const calm = matchMedia('(prefers-reduced-motion: reduce)');
// A picture that did not come is asked for again.
document.addEventListener('error', ({ target }) => {
  if (target.matches?.('img')) setTimeout(() => { target.src = target.src; }, 2500);
}, true);

const main = $('#table'); // none on the other pages
const id = main?.dataset.table;
const held = main?.dataset.held ? main.dataset.held.split(',').map(Number) : [];
const texts = $('#texts')?.dataset;
const title = document.title;
const reveal = $('#reveal');
const zoom = $('#zoom');
const waiting = []; // messages that wait until the reveal has been watched
let chosen = null; // the gap chosen, not yet placed
let comparing = null; // the card held for comparing
let busy = false;
let pointer = 'mouse';
let lastEvent = 0;
let wasMine = false;

const state = () => $('#state');
const seq = () => Number(state().dataset.seq);
const mine = () => state().classList.contains('mine');
const gaps = () => $$('.gap:enabled');

// ---- The state: decorate what the server sent for whoever looks at it

function decorate(section) {
  const { phase, toPlay, host } = section.dataset;
  const turn = phase === 'playing' && held.includes(Number(toPlay)) && toPlay !== '';
  section.classList.toggle('mine', turn);
  section.classList.toggle('handed', turn && held.length > 1);
  section.classList.toggle('hosting', host !== '' && held.includes(Number(host)));
  section.classList.toggle('seated', held.length > 0);
  for (const seat of $$('[data-seat]', section)) {
    seat.classList.toggle('me', held.length === 1 && held[0] === Number(seat.dataset.seat));
  }
  for (const gap of $$('.gap', section)) gap.disabled = !turn || !section.dataset.next;
  for (const row of $$('.shown .turned', section)) row.classList.add('open');
  const doubt = $('.doubt', section);
  if (doubt) doubt.disabled = !turn || !doubt.dataset.possible;
  const heading = $('.turn', section);
  if (heading && turn) heading.textContent = held.length > 1 ? heading.dataset.handed : heading.dataset.yours;
  return section;
}

function settled({ fresh } = {}) {
  const section = state();
  document.body.classList.toggle('playing-now', section.dataset.phase !== 'waiting');
  if (section.dataset.phase !== 'waiting') $('#main').classList.remove('with-invite');
  $('#back').hidden = !(held.length && section.dataset.phase === 'playing' && held.every((seat) => $(`.player.away[data-seat="${seat}"]`)));
  $('#live').textContent = [$('.happened', section)?.textContent, $('.turn', section)?.textContent].filter(Boolean).map((text) => text.trim()).join(' ');
  const card = fresh && $(`.row [data-look="${fresh}"]`);
  if (card) {
    card.classList.add('fresh');
    show(card);
  }
  announce();
}

function show(element) {
  const scroller = $('#scroller');
  if (!scroller) return;
  const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const left = scroller.scrollLeft + box.left + box.width / 2 - view.left - view.width / 2;
  scroller.scrollTo({ left, behavior: calm.matches ? 'auto' : 'smooth' });
}

function announce() {
  document.title = mine() ? `${texts.title} · ${title}` : title;
  if (mine() && !wasMine && !reveal.open) chime();
  if (!reveal.open) wasMine = mine();
}

// Only cards wholly in sight move; one that is cut off would otherwise fly above the edge.
function named(on) {
  const frame = $('#scroller')?.getBoundingClientRect();
  for (const card of $$('[data-card]', main)) {
    const box = card.getBoundingClientRect();
    const inside = frame && !card.matches('.lifted') && (!card.closest('.row') || (box.left >= frame.left && box.right <= frame.right));
    card.style.viewTransitionName = on && inside ? `card-${card.dataset.card}` : '';
  }
}

async function replace(html, { fresh }) {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const next = decorate($('#state', holder.content));
  const old = state();
  if (movedChairs(old, next)) return location.reload();
  const sameRow = old.dataset.next === next.dataset.next && old.dataset.row === next.dataset.row && old.dataset.toPlay === next.dataset.toPlay;
  const focus = main.contains(document.activeElement) ? document.activeElement : null;
  const keep = { gap: sameRow ? chosen : null, level: $('#level')?.value, left: $('#scroller')?.scrollLeft ?? 0 };
  const swap = () => {
    drag?.cancel();
    chosen = null;
    old.replaceWith(next);
    if ($('#scroller') && old.dataset.round === next.dataset.round) $('#scroller').scrollLeft = keep.left;
    if ($('#level') && keep.level) $('#level').value = keep.level;
    if (keep.gap !== null && mine()) choose(keep.gap);
    if (focus) (focus.id ? document.getElementById(focus.id) : focus.dataset.gap && $(`.gap:enabled[data-gap="${focus.dataset.gap}"]`))?.focus({ preventScroll: true });
  };
  if (document.startViewTransition && !calm.matches && !$('dialog[open]') && document.visibilityState === 'visible') {
    named(true);
    const moving = document.startViewTransition(() => { swap(); named(true); });
    moving.ready.catch(() => {});
    await moving.updateCallbackDone;
    moving.finished.finally(() => named(false));
  } else {
    swap();
  }
  settled({ fresh });
}

// Free chairs are taken away when the cards are dealt and bots draw theirs by lot, so a seat may get another number:
// then ask the server anew. Names are all different at a table.
function movedChairs(old, next) {
  if (old.dataset.phase !== 'waiting' || next.dataset.phase === 'waiting') return false;
  const sitting = (section, seat) => $(`[data-seat="${seat}"] b`, section)?.textContent;
  return held.some((seat) => sitting(old, seat) !== sitting(next, seat));
}

// ---- The stream

function listen() {
  const stream = new EventSource(`/table/${id}/live?after=${Math.max(lastEvent, seq())}`);
  let lost;
  stream.onopen = () => { clearTimeout(lost); lost = undefined; $('#banner').hidden = true; };
  stream.onerror = () => {
    lost ??= setTimeout(() => { $('#banner').hidden = false; }, 2500);
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
  };
  stream.addEventListener('table', (message) => { waiting.push(JSON.parse(message.data)); pump(); });
}

let pumping = false;
async function pump() {
  if (pumping) return;
  pumping = true;
  try {
    while (waiting.length && !reveal.open) {
      await take(waiting.shift());
      if (waiting.length && !reveal.open) await wait(waiting.length > 5 ? 60 : 450);
    }
  } finally {
    pumping = false;
  }
}

async function take({ seq: number, html, event }) {
  if (event.entry === 'played-again') return follow(event.table);
  const happened = event.seq > lastEvent ? event.happened ?? [] : [];
  lastEvent = Math.max(lastEvent, event.seq);
  const fresh = happened.find((each) => each.event === 'card-placed')?.card;
  if (number > seq()) await replace(html, { fresh });
  if (happened.some((each) => each.event === 'row-doubted')) turnOver(true);
}

// Whoever sat here gets the same seat there; the answer brings the cookie for it.
async function follow(other) {
  if (held.length) await send('POST', 'rematch', undefined, true);
  location.href = `/table/${other}`;
}

// ---- Asking the server

async function send(method, path, body, quiet = false) {
  const init = { method, headers: { 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  try {
    const answer = await fetch(`/api/tables/${id}${path && `/${path}`}`, init);
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) return told;
    if (told.code !== 'stale' && !quiet) toast(told.detail || told.title || texts.failed);
  } catch {
    if (!quiet) toast(texts.failed);
  }
  return null;
}

let fading;
function toast(text) {
  const element = $('#toast');
  element.textContent = text;
  element.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { element.hidden = true; }, 5000);
}

async function move(body) {
  if (busy || !mine()) return;
  busy = true;
  if (!await send('POST', 'moves', { ...body, seq: seq() })) takeBack();
  busy = false;
}

// ---- Placing

function choose(gap, focus = false) {
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

function takeBack() {
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

const place = () => { if (chosen !== null) move({ move: 'place', gap: chosen }); };

// ---- Dragging the next card

let drag = null;
let dragged = false; // the click that ends a drag is no press
main?.addEventListener('pointerdown', (down) => {
  pointer = down.pointerType || 'mouse';
  dragged = false;
  const source = down.target.closest('#next');
  if (!source || !mine() || busy || down.button !== 0) return;
  const card = $('.card', source);
  const box = card.getBoundingClientRect();
  let clone = null;
  let over = null;
  let sideways = 0;
  let frame = 0;
  const glide = () => { const scroller = $('#scroller'); if (sideways && scroller) scroller.scrollLeft += sideways; frame = requestAnimationFrame(glide); };
  const moved = (at) => {
    if (!clone) {
      if (Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) < 8) return;
      dragged = true;
      takeBack();
      clone = card.cloneNode();
      clone.className = 'card dragged';
      clone.style.width = `${Math.min(box.width, 150)}px`;
      document.body.append(clone);
      document.body.classList.add('dragging');
      card.classList.add('lifted');
      $('#scroller').style.scrollSnapType = 'none';
      glide();
    }
    const size = clone.getBoundingClientRect();
    const lift = pointer === 'touch' ? 0.8 : 0.5;
    clone.style.transform = `translate(${at.clientX - size.width / 2}px, ${at.clientY - size.height * lift}px)`;
    const view = $('#scroller').getBoundingClientRect();
    const near = at.clientY > view.top - 60 && at.clientY < view.bottom + 40;
    sideways = !near ? 0 : at.clientX < view.left + 50 ? -9 : at.clientX > view.right - 50 ? 9 : 0;
    const distance = (gap) => { const edge = gap.getBoundingClientRect(); return Math.abs(edge.left + edge.width / 2 - at.clientX); };
    const best = near ? gaps().reduce((a, b) => (distance(a) <= distance(b) ? a : b)) : null;
    if (best !== over) { over?.classList.remove('over'); best?.classList.add('over'); over = best; }
  };
  const end = () => {
    cancelAnimationFrame(frame);
    controller.abort();
    clone?.remove();
    over?.classList.remove('over');
    document.body.classList.remove('dragging');
    card.classList.remove('lifted');
    if ($('#scroller')) $('#scroller').style.scrollSnapType = '';
    drag = null;
  };
  const controller = new AbortController();
  const { signal } = controller;
  drag = { cancel: end };
  addEventListener('pointermove', moved, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener('pointerup', () => {
    const target = over && Number(over.dataset.gap);
    end();
    if (target === null) return;
    choose(target);
    if (pointer === 'mouse') place();
  }, { signal });
});
main?.addEventListener('dragstart', (event) => event.preventDefault());

// ---- Looking closely

function look(card) {
  const pair = [...new Set([comparing ?? card, card])];
  const holder = $('.zoomed');
  holder.classList.toggle('pair', pair.length > 1);
  holder.replaceChildren(...pair.map((address) => {
    const image = new Image(630, 880);
    image.className = 'card';
    image.src = `/cards/${address}.svg`;
    image.alt = $(`[data-look="${address}"] img`)?.alt ?? '';
    return image;
  }));
  zoom.dataset.card = card;
  $('[data-do=compare]', zoom).hidden = pair.length > 1;
  compare(null);
  zoom.showModal();
}

function compare(card) {
  comparing = card;
  $('#holding').hidden = !card;
  for (const element of $$('.look')) element.classList.toggle('held', element.dataset.look === card);
}
zoom?.addEventListener('click', ({ target }) => { if (!target.closest('.buttons')) zoom.close(); });

// ---- The row turned over

let skipped = false;
let later;
reveal?.addEventListener('pointerdown', () => clearTimeout(later));
async function turnOver(animated) {
  const source = $('.last-row');
  if (!source || reveal.open) return;
  const content = $('.content', reveal);
  content.replaceChildren(source.content.cloneNode(true));
  const cards = $$('.turned', content);
  const verdict = $('.verdict', content);
  const all = $('[data-do=turn-all]', reveal);
  const on = $('[data-do=go-on]', reveal);
  skipped = !animated || calm.matches;
  all.hidden = true;
  all.textContent = texts.pictures;
  on.textContent = texts.skip;
  if (!skipped) {
    cards.forEach((card) => card.classList.add('veiled'));
    verdict.classList.add('waits');
  }
  if (zoom.open) zoom.close();
  $$('.ask[open]').forEach((dialog) => dialog.close());
  reveal.showModal();
  on.focus();
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
  $('#live').textContent = verdict.textContent;
  all.hidden = false;
  on.textContent = texts.goOn;
  if (!skipped) verdict.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  skipped = true;
  if (animated) goOnLater();
}

// The table has played on and nobody touches the reveal: go back to it.
function goOnLater() {
  clearTimeout(later);
  later = setTimeout(() => { if (waiting.length) reveal.close(); else goOnLater(); }, 12000);
}

async function pause(ms) {
  for (let spent = 0; spent < ms && !skipped; spent += 40) await wait(40);
}

function count(figure) {
  const goal = Number(figure.dataset.share);
  const began = performance.now();
  const step = (now) => {
    const part = skipped ? 1 : Math.min(1, (now - began) / 420);
    figure.textContent = Math.round(goal * part);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

reveal?.addEventListener('cancel', (event) => { if (!skipped) { event.preventDefault(); skipped = true; } });
reveal?.addEventListener('close', () => { clearTimeout(later); skipped = true; announce(); pump(); });

// ---- Sound

let audio;
const speaker = $('#sound');
let sound = speaker && localStorage.getItem('illusion-sound') !== 'off';
speaker?.setAttribute('aria-pressed', sound);
speaker?.addEventListener('click', () => {
  sound = !sound;
  speaker.setAttribute('aria-pressed', sound);
  localStorage.setItem('illusion-sound', sound ? 'on' : 'off');
  if (sound) chime();
});
const wake = () => { if (sound) { audio ??= new AudioContext(); audio.resume(); } }; // browsers want a gesture first
addEventListener('pointerdown', wake);
addEventListener('keydown', wake);

function chime() {
  if (!sound || audio?.state !== 'running') return;
  [[523.25, 0], [783.99, 0.14]].forEach(([pitch, after]) => {
    const [tone, loud, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, at);
    loud.gain.linearRampToValueAtTime(0.06, at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0005, at + 0.5);
    tone.connect(loud).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.55);
  });
}

// ---- Everything that can be pressed

async function asked(name, then) {
  const dialog = $(`#${name}`);
  dialog.returnValue = '';
  dialog.showModal();
  dialog.addEventListener('close', () => { if (dialog.returnValue === 'yes') then(); }, { once: true });
}

async function share() {
  const link = $('#link');
  if (navigator.share) return navigator.share({ title, url: link.value }).catch(() => {});
  try { await navigator.clipboard.writeText(link.value); } catch { link.select(); document.execCommand('copy'); }
  return toast(texts.copied);
}

const doing = {
  place,
  'take-back': takeBack,
  'ask-doubt': () => { if (mine() && !$('.doubt').disabled) asked('ask-doubt', () => move({ move: 'doubt' })); },
  'ask-leave': () => asked('ask-leave', async () => {
    if (held.length === 1) await send('DELETE', 'seats/me', undefined, true);
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
  reveal: () => turnOver(false),
  'go-on': () => { if (skipped) reveal.close(); else skipped = true; },
  'turn-all': ({ target }) => {
    const open = target.textContent === texts.numbers;
    target.textContent = open ? texts.pictures : texts.numbers;
    $$('.turned', reveal).forEach((card) => card.classList.toggle('open', open));
  },
  compare: () => { zoom.close(); compare(zoom.dataset.card); },
  'stop-compare': () => compare(null),
  share,
  help: () => $('#help').showModal(),
};

document.addEventListener('click', (event) => {
  const button = event.target.closest('button, a');
  if (!button) return;
  const { do: what, gap, look: card, removeBot } = button.dataset;
  if (what && doing[what]) { event.preventDefault(); doing[what](event); }
  else if (gap !== undefined) {
    const again = chosen === Number(gap);
    if (!again) choose(Number(gap));
    else if (event.detail === 0 || pointer === 'mouse') place();
  } else if (card) { if (!dragged) look(card); dragged = false; }
  else if (removeBot) send('DELETE', `bots/${removeBot}`);
  else if ('turn' in button.dataset && skipped) button.closest('.turned').classList.toggle('open');
});

document.addEventListener('change', (event) => {
  const form = event.target.closest('[data-arrange]');
  if (!form) return;
  send('PUT', '', { variant: form.variant.value, clock: form.clock.value ? Number(form.clock.value) : null });
});

document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-add-bot]')) return;
  event.preventDefault();
  send('POST', 'bots', { level: event.target.level.value });
});

document.addEventListener('keydown', (event) => {
  if (!main || event.ctrlKey || event.metaKey || event.altKey || $('dialog[open]') || event.target.matches('input, select, textarea')) return;
  if (event.key === 'Escape') { if (drag) drag.cancel(); else if (comparing) compare(null); else takeBack(); return; }
  if (!mine()) return;
  const last = gaps().length - 1;
  if ((event.key === 'ArrowLeft' || event.key === 'ArrowRight') && last >= 0) {
    event.preventDefault();
    const step = event.key === 'ArrowRight' ? 1 : -1;
    choose(chosen === null ? (step > 0 ? 0 : last) : Math.min(last, Math.max(0, chosen + step)), true);
  } else if (event.key === 'Enter' && chosen !== null && !event.target.closest('button, a, summary')) {
    event.preventDefault();
    place();
  } else if (event.key.toLowerCase() === 'd') {
    event.preventDefault();
    doing['ask-doubt']();
  }
});

const sharer = $('[data-do=share]');
if (sharer && navigator.share) sharer.textContent = sharer.dataset.share;
if (main) {
  decorate(state());
  settled();
  listen();
}
