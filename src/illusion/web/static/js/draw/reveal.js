// The reveal: a row turned over, card by card. The pictures stay in sight; each gets its share, and for a moment nothing of
// it is seen but the colour that counts.

import { $, $$, classes, h, seatShape, the, wait } from '../shared/dom.js';
import { cardImage, dress } from '../shared/pictures.js';
import { apiTable } from '../shared/server.js';
import { reducedMotion } from '../shared/settings.js';
import { _, names, percent } from '../shared/texts.js';
import { seatElement } from '../table/bubbles.js';
import { layOut } from '../table/layout.js';
import { play, pling } from '../table/sound.js';
import { mySeat } from '../table/state.js';
import { face } from './players.js';
import { colourBar } from './playing.js';
import { labelOf, nameOf, verdictLines } from './words.js';

/** @typedef {import('../table/messages.js').Believed} Believed */
/** @typedef {import('../table/messages.js').Colour} Colour */
/** @typedef {import('../table/messages.js').Doubt} Doubt */
/** @typedef {import('../table/state.js').TableState} TableState */
/** @typedef {import('../table/messages.js').TurnedCard} TurnedCard */
/** @typedef {import('../table/messages.js').View} View */

const ANNOUNCED_MS = 1200;
const ALONE_MS = 300; // only the colour that counts is seen
const CARD_MS = 350;
const LATE_CARD_MS = 220; // from the seventh card on
const LATE = 6;
const HOLD_MS = 700; // before the first fall
const FALL_MS = 300;
const SILENCE_MS = 500; // before "right to the last card"
const GLIDE_MS = 500;

const dialog = () => the('#reveal', HTMLDialogElement);
const content = () => the('.content', HTMLElement, dialog());
const orderButton = () => $('[data-do=right-order]', dialog()); // a shared screen has no buttons
const goOnButton = () => $('[data-do=go-on]', dialog());

export const isReading = () => dialog().open;

/**
 * Shows the last row. The dialog is open as soon as this has been called; the promise ends when all cards are turned.
 * @param {TableState} state
 * @param {View} view
 * @param {{ animated: boolean }} options
 */
export async function turnOver(state, view, { animated }) {
  const doubt = view.last_doubt;
  if (!doubt || isReading()) return;
  state.revealing = animated && !reducedMotion();
  state.revealed = doubt.row.length;
  const me = mySeat(state);
  content().replaceChildren(
    h(
      'header',
      { class: 'doubted' },
      colourBar(doubt.arrow),
      h(
        'h2',
        {},
        view.players.filter(({ seat }) => seat === doubt.seat).map(face),
        seatShape(doubt.seat),
        doubt.seat === me
          ? _('You do not believe it')
          : _('%(name)s does not believe it', { name: nameOf(view, doubt.seat) }),
      ),
    ),
    h('div', { class: 'stage' }, turnedRow(view, doubt, me)),
    h(
      'div',
      { class: 'verdict' },
      verdictLines(view, doubt, me).map((line, at) => h(at ? 'p' : 'b', {}, line)),
    ),
  );
  const cards = $$('.turned', content());
  content().classList.toggle('waits', state.revealing);
  dialog().dataset.arrow = doubt.arrow;
  for (const card of cards) card.classList.toggle('veiled', state.revealing);
  setButtons({ done: !state.revealing });
  closeOthers();
  dialog().showModal();
  if (state.revealing) play(state, 'doubt');
  layOut();
  goOnButton()?.focus();
  await pause(state, ANNOUNCED_MS);
  for (const [at, card] of cards.entries()) await turnCard(state, card, at, doubt.arrow, doubt.falls);
  if (!doubt.falls.length) {
    await pause(state, SILENCE_MS);
    if (state.revealing) play(state, 'right');
  }
  content().classList.remove('waits');
  setButtons({ done: true });
  dialog().dispatchEvent(new Event('shown'));
  state.revealing = false;
}

/**
 * The first press skips the rest, the next one closes.
 * @param {TableState} state
 */
export function goOn(state) {
  if (state.revealing) state.revealing = false;
  else dialog().close();
}

/** Puts the cards into the order in which they belong, or back. */
export function showRightOrder() {
  const row = the('.turned-row', HTMLElement, dialog());
  const sorted = row.classList.toggle('sorted');
  orderButton()?.setAttribute('aria-pressed', String(sorted));
  const cards = $$('.turned', row);
  const before = new Map(cards.map((card) => [card, card.getBoundingClientRect()]));
  const place = (/** @type {HTMLElement} */ card) => Number(card.dataset.at);
  const share = (/** @type {HTMLElement} */ card) => Number(card.dataset.share);
  row.append(...cards.sort((a, b) => (sorted && share(a) - share(b)) || place(a) - place(b)));
  if (reducedMotion()) return;
  for (const card of cards) {
    const [from, to] = [before.get(card), card.getBoundingClientRect()];
    if (!from || (from.left === to.left && from.top === to.top)) continue;
    const move = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    card.animate([{ transform: move }, { transform: 'none' }], { duration: GLIDE_MS, easing: 'ease-in-out' });
  }
}

/** @param {TableState} state */
export function bindReveal(state) {
  dialog().addEventListener('cancel', (event) => {
    if (!state.revealing) return;
    event.preventDefault();
    state.revealing = false;
  });
  dialog().addEventListener('close', () => {
    state.revealing = false;
    const lostFocus = !document.activeElement || document.activeElement === document.body;
    if (lostFocus) $('#state .turn')?.focus({ preventScroll: true });
  });
}

/**
 * @param {TableState} state
 * @param {HTMLElement} card
 * @param {number} at
 * @param {Colour} colour
 * @param {number[]} falls
 */
async function turnCard(state, card, at, colour, falls) {
  const isFall = falls.includes(at);
  if (state.revealing) {
    card.classList.add('measured');
    await alone(state, card, colour);
    if (isFall) await holdBreath(state, card, at === falls[0] ? HOLD_MS : FALL_MS);
  }
  if (state.revealing) sound(state, isFall, Number(card.dataset.share));
  card.classList.remove('veiled', 'measured');
  await pause(state, at < LATE ? CARD_MS : LATE_CARD_MS);
}

/**
 * @param {TableState} state
 * @param {boolean} isFall
 * @param {number} share
 */
const sound = (state, isFall, share) => (isFall ? play(state, 'fall') : pling(state, share));

/**
 * Before a fall, the two cards come forward.
 * @param {TableState} state
 * @param {HTMLElement} card
 * @param {number} ms
 */
async function holdBreath(state, card, ms) {
  const pair = [card.previousElementSibling, card];
  for (const each of pair) each?.classList.add('tense');
  await pause(state, ms);
  for (const each of pair) each?.classList.remove('tense');
}

/**
 * For a moment, nothing but the colour that counts.
 * @param {TableState} state
 * @param {HTMLElement} card
 * @param {Colour} colour
 */
async function alone(state, card, colour) {
  const image = $('img', card);
  if (!(image instanceof HTMLImageElement) || !image.dataset.picture) return;
  const address = image.dataset.picture;
  await dress(image, address, colour);
  await pause(state, ALONE_MS);
  await dress(image, address);
}

/**
 * Waits, unless the rest is skipped.
 * @param {TableState} state
 * @param {number} ms
 */
async function pause(state, ms) {
  for (let spent = 0; spent < ms && state.revealing; spent += 40) await wait(40);
}

/** @param {{ done: boolean }} state */
function setButtons({ done }) {
  const [order, on] = [orderButton(), goOnButton()];
  if (!order || !on) return;
  order.setAttribute('aria-pressed', 'false');
  dialog().classList.toggle('done', done);
  on.textContent = done ? _('Continue') : _('Skip');
}

/** The reveal is shown alone; only the settings may stay open. */
function closeOthers() {
  for (const other of $$('.zoom[open], .ask[open]:not(.settings)')) {
    if (other instanceof HTMLDialogElement) other.close();
  }
}

// A row turned over: every picture with its share, who laid it, and the sign between it and the card before.

/**
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 */
export const turnedRow = (view, doubt, me) =>
  h(
    'ol',
    { class: 'turned-row', 'data-arrow': doubt.arrow },
    doubt.row.map((card, at) => turned(view, doubt, card, at, me)),
  );

/**
 * @param {View} view
 * @param {Doubt} doubt
 * @param {TurnedCard} card
 * @param {number} at
 * @param {number | null} me
 */
function turned(view, { arrow, row, falls }, { card, shares, placed_by: seat }, at, me) {
  const share = shares[arrow];
  const before = row[at - 1]?.shares[arrow];
  const isFall = falls.includes(at);
  const told = _('Card %(n)s: %(share)s %(colour)s.', {
    n: at + 1,
    share: percent(share),
    colour: names().colours[arrow],
  });
  const image = cardImage(card, told);
  const filled = h('i');
  filled.style.width = `${share}%`; // an attribute would be against the page's security policy
  return h(
    'li',
    { class: classes('turned', isFall && 'fall'), 'data-at': at, 'data-share': share },
    h('span', { class: 'picture' }, image, before !== undefined && sign(before, share)),
    h('span', { class: 'bar', 'aria-hidden': 'true' }, filled),
    h(
      'p',
      { class: 'facts-below' },
      h('b', { class: 'share' }, percent(share)),
      h(
        'span',
        { class: 'by' },
        seat === null ? _('first card') : [seatShape(seat), h('span', {}, labelOf(view, seat, me))],
      ),
    ),
    isFall && fallMark((before ?? share) - share),
  );
}

/**
 * On a narrow card there is room for the number only.
 * @param {number} points
 */
const fallMark = (points) =>
  h(
    'p',
    { class: 'fall-mark' },
    h('span', { class: 'long' }, _('drops by %(points)s', { points })),
    h('span', { class: 'short', 'aria-hidden': 'true' }, `−${points}`),
  );

/**
 * @param {number} before
 * @param {number} share
 */
function sign(before, share) {
  let told = share > before ? '<' : '>';
  if (share === before) told = '=';
  return h('span', { class: 'sign', 'data-sign': told, 'aria-hidden': 'true' }, told);
}

// After a reveal: what each bot took the shares to be, below the true ones.

const button = () => the('[data-do=believed]', HTMLButtonElement, dialog());

/**
 * Shows it, or hides it again.
 * @param {TableState} state
 */
export async function toggleBelieved(state) {
  const shown = $$('.saw', dialog());
  button().setAttribute('aria-pressed', String(!shown.length));
  if (shown.length) {
    for (const line of shown) line.remove();
    return;
  }
  const response = await fetch(apiTable(state.table, 'believed')).catch(() => null);
  /** @type {{ believed: Believed[] }} */
  const { believed } = response?.ok ? await response.json() : { believed: [] };
  const cards = $$('.turned', dialog());
  for (const { seat, shares } of believed) {
    if (shares.length !== cards.length) continue; // of another row
    for (const [at, share] of shares.entries()) cardAt(cards, at)?.append(line(state, seat, share));
  }
}

export function bindBelieved() {
  dialog().addEventListener('shown', () => {
    button().hidden = !$('.player .bot-face');
    button().setAttribute('aria-pressed', 'false');
  });
  dialog().addEventListener('close', () => {
    button().hidden = true;
  });
}

/**
 * The cards may lie in their right order.
 * @param {HTMLElement[]} cards
 * @param {number} at
 */
const cardAt = (cards, at) => cards.find((card) => Number(card.dataset.at) === at);

/**
 * @param {TableState} state
 * @param {number} seat
 * @param {number} share
 */
function line(state, seat, share) {
  const paragraph = document.createElement('p');
  paragraph.className = 'saw';
  const face = $('.bot-face', seatElement(seat) ?? document)?.cloneNode();
  if (face instanceof HTMLImageElement) {
    face.alt = nameOf(state.view, seat);
    paragraph.append(face);
  }
  paragraph.append(percent(share));
  return paragraph;
}
