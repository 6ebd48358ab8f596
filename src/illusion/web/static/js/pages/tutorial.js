// The tutorial: the steps come from the server; here they are walked through, and a row is judged by its shares (R3.1).
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const lessons = $('.lessons');
const asServed = lessons.innerHTML; // to begin again
let chosen = null; // the gap chosen, not yet laid

const firstFall = (cards) => cards.findIndex((card, at) => at && Number(card.dataset.share) < Number(cards[at - 1].dataset.share));
const say = (...texts) => { $('#said').textContent = texts.map((text) => text.trim()).join(' '); };

function choose(gap, { focus = false } = {}) {
  takeBack();
  chosen = gap;
  const ghost = $('.next .front').cloneNode();
  ghost.className = 'card ghost';
  ghost.alt = '';
  gap.append(ghost);
  gap.classList.add('chosen');
  gap.setAttribute('aria-pressed', 'true');
  $('.next').classList.add('lifted');
  $('.confirm').hidden = false;
  $('#place .hint').hidden = true;
  if (focus) gap.focus();
}

function takeBack() {
  if (!chosen) return;
  chosen.replaceChildren();
  chosen.classList.remove('chosen');
  chosen.removeAttribute('aria-pressed');
  chosen = null;
  $('.next').classList.remove('lifted');
  $('.confirm').hidden = true;
  $('#place .hint').hidden = false;
}

function lay() {
  const gap = chosen;
  if (!gap) return;
  takeBack();
  const card = $('.next .turned');
  card.classList.add('mine');
  gap.closest('li').after(card);
  const right = firstFall($$('#place .row .turned')) < 0;
  if (!right) showWhereItBelongs(card);
  for (const each of $$('#place .gap')) each.hidden = true;
  for (const verdict of $$('#place .verdict')) verdict.hidden = verdict.dataset.if !== (right ? 'right' : 'wrong');
  turnOver($('#place'));
}

function showWhereItBelongs(card) {
  const cards = $$('#place .row .turned').filter((each) => each !== card);
  const place = $$('#place .place').find((_, at) => firstFall([...cards.slice(0, at), card, ...cards.slice(at)]) < 0);
  $('.slot', place).hidden = false;
  place.parentElement.classList.add('corrected');
}

// Every card shows its back, the first fall is marked, and what that means is told.
function turnOver(lesson) {
  const cards = $$('.row .turned', lesson);
  const fall = firstFall(cards);
  cards.forEach((card, at) => {
    card.classList.add('open');
    card.classList.toggle('fall', at === fall);
    card.style.setProperty('--wait', `${at * 120}ms`);
    $('.front', card).alt += `: ${$('.share', card).textContent}`;
    $('.share', card).hidden = false;
    $('.fall-mark', card).hidden = at !== fall;
  });
  $('.ask-place, .ask-doubt', lesson).hidden = true;
  $('.told', lesson).hidden = false;
  say(`${cards.map((card) => $('.share', card).textContent).join(', ')}.`, $('.verdict:not([hidden])', lesson).textContent);
  $('.told .button', lesson).focus();
}

function show(id) {
  for (const lesson of $$('.lesson')) lesson.hidden = lesson.id !== id;
  const lesson = $(`#${id}`);
  $('#skip').hidden = id === 'won';
  if (id === 'won') remember();
  scrollTo(0, 0);
  $('h1', lesson).focus();
  say($('.step', lesson).textContent, $('.lead', lesson).textContent);
}

function remember() {
  try { localStorage.setItem('learned', 'yes'); } catch { /* then the offer on the home page stays as it is */ }
}

function begin() {
  chosen = null;
  lessons.innerHTML = asServed;
  show('place');
}

// ---- Mouse, touch and keys

const asking = (what) => $(`#${what}`) && !$(`#${what}`).hidden && $(`#${what} .told`).hidden;

lessons.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  if ('lay' in button.dataset) { if (chosen === button) lay(); else choose(button); }
  else if (button.id === 'lay') lay();
  else if (button.id === 'take-back') takeBack();
  else if (button.id === 'say-doubt') turnOver($('#doubt'));
  else if (button.id === 'again') begin();
  else if (button.dataset.on) show(button.dataset.on);
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (asking('place') && step) {
    const gaps = $$('.gap');
    const at = chosen ? gaps.indexOf(chosen) + step : step > 0 ? 0 : gaps.length - 1;
    event.preventDefault();
    choose(gaps[Math.max(0, Math.min(gaps.length - 1, at))], { focus: true });
  } else if (asking('place') && event.key === 'Escape') takeBack();
  else if (asking('doubt') && event.key.toLowerCase() === 'd') { event.preventDefault(); turnOver($('#doubt')); }
});

lessons.addEventListener('dragstart', (event) => event.preventDefault());
lessons.addEventListener('pointerdown', (down) => {
  const card = down.target.closest('.next .front');
  if (!card || down.button !== 0) return;
  const moving = new AbortController();
  const { signal } = moving;
  let flying = null;
  const nearest = (x) => $$('.gap').map((gap) => [gap, gap.getBoundingClientRect()])
    .map(([gap, box]) => [Math.abs(box.left + box.width / 2 - x), gap]).sort(([a], [b]) => a - b)[0][1];
  addEventListener('pointermove', (at) => {
    if (!flying && Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) < 8) return;
    if (!flying) {
      takeBack();
      flying = card.cloneNode();
      flying.className = 'card dragged';
      flying.style.width = `${card.getBoundingClientRect().width}px`;
      document.body.append(flying);
    }
    const { width, height } = flying.getBoundingClientRect();
    flying.style.transform = `translate(${at.clientX - width / 2}px, ${at.clientY - height * 0.7}px)`;
  }, { signal });
  const end = (up) => {
    moving.abort();
    flying?.remove();
    const row = $('#place .row').getBoundingClientRect();
    if (flying && up.type === 'pointerup' && up.clientY < row.bottom + 40) choose(nearest(up.clientX));
  };
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
});
