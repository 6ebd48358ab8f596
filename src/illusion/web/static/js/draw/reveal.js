// The reveal: a doubted row is turned over card by card. Pictures stay visible; each gets its share, after a moment in which
// only the colour that counts is shown. It stays open until the reader closes it.

import { $, $$, arrow, h, required, seatShape, wait } from '../shared/dom.js';
import { showPicture } from '../shared/pictures.js';
import { reducedMotion } from '../shared/settings.js';
import { _, percent } from '../shared/texts.js';
import { layOut } from '../table/layout.js';
import { send } from '../table/notices.js';
import { play, pling } from '../table/sound.js';
import { isDoubtWaiting, mySeat } from '../table/state.js';
import { showGuesses } from './guesses.js';
import { caught, face, playerList } from './players.js';
import { colourBar } from './playing.js';
import { flyToChip, turnedRow } from './turned-row.js';
import { headline, nameOf, verdictLines } from './words.js';

/** @typedef {import('../table/messages.js').Believed} Believed */
/** @typedef {import('../table/messages.js').Doubt} Doubt */
/** @typedef {import('../table/state.js').TableState} TableState */
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
const READ_MS = 900; // the headline, before the arrow flies
const LANDED_MS = 700;

const GO_ON_MS = 12_000; // an untouched reveal closes after this
const SHARED_GO_ON_MS = 5000;
const SHARED_GO_ON_PER_CARD_MS = 300;
const HURRY_MS = 2000;

const dialog = () => required('#reveal', HTMLDialogElement);
const content = () => required('.content', HTMLElement, dialog());
const orderButton = () => $('[data-do=right-order]', dialog()); // a shared screen has no buttons
const goOnButton = () => $('[data-do=go-on]', dialog());
const believedButton = () => $('[data-do=believed]', dialog());

export const isReading = () => dialog().open;

/**
 * Turns a row over that has just been doubted.
 * @param {TableState} state
 * @param {View} view
 * @returns {Promise<void>} fulfilled when it has been read
 */
export async function readRow(state, view) {
  const read = new Promise((done) => dialog().addEventListener('close', done, { once: true }));
  turnOver(state, view, { animated: true }).then(() => closeLater(state, view.last_doubt?.row.length ?? 0));
  await read;
}

/**
 * Shows the last row. Opens the dialog at once; the promise resolves when all cards are turned.
 * @param {TableState} state
 * @param {View} view
 * @param {{ animated: boolean }} options
 */
export async function turnOver(state, view, { animated }) {
  const doubt = view.last_doubt;
  if (!doubt || isReading()) return;
  const turning = new AbortController();
  const { signal } = turning;
  state.turning = turning;
  if (!animated || reducedMotion()) turning.abort();
  const me = mySeat(state);
  const won = signal.aborted ? view.arrows_won : state.view.arrows_won;
  content().replaceChildren(...contentOf(view, doubt, me, won));
  showGuesses(state, doubt);
  content().classList.toggle('waits', !signal.aborted);
  const cards = $$('.turned', content());
  for (const card of cards) card.classList.toggle('veiled', !signal.aborted);
  dialog().dataset.arrow = doubt.arrow;
  dialog().classList.toggle('yours', doubt.taker === me);
  setButtons({ done: signal.aborted });
  closeOthers();
  dialog().showModal();
  if (!signal.aborted) play(state, 'doubt');
  layOut();
  goOnButton()?.focus();
  await wait(ANNOUNCED_MS, signal);
  for (const [at, card] of cards.entries()) await turnCard(state, card, doubt, at, signal);
  if (!doubt.falls.length) {
    await wait(SILENCE_MS, signal);
    if (!signal.aborted) play(state, 'right');
  }
  content().classList.remove('waits');
  wince(view, caught(doubt));
  await award(state, view, doubt, signal);
  turning.abort();
  setButtons({ done: true });
}

/**
 * A bot that was caught shows it.
 * @param {View} view
 * @param {number} seat
 */
function wince(view, seat) {
  const player = view.players.find((each) => each.seat === seat);
  if (player?.level) $(`.player[data-seat="${seat}"] .bot-face`, dialog())?.replaceWith(face(player, '', 'winces'));
}

/**
 * The arrow goes to whoever takes it, in plain sight; then their chip has it.
 * @param {TableState} state
 * @param {View} view
 * @param {Doubt} doubt
 * @param {AbortSignal} signal
 */
async function award(state, view, doubt, signal) {
  dialog().classList.toggle('awards', !signal.aborted);
  await wait(READ_MS, signal);
  if (!signal.aborted) await flyToChip(dialog(), doubt.taker, signal);
  if (!signal.aborted) play(state, 'arrow');
  const now = chips(view, mySeat(state), view.arrows_won, signal.aborted ? null : doubt.taker);
  $('.players', content())?.replaceChildren(...now.children);
  await wait(LANDED_MS, signal);
  dialog().classList.remove('awards', 'flies');
}

/**
 * All players as chips with these arrows; the newest one of `taker` is marked.
 * @param {View} view
 * @param {number | null} me
 * @param {View['arrows_won']} won
 * @param {number | null} [taker]
 */
function chips(view, me, won, taker = null) {
  const list = playerList({ ...view, to_play: null, winners: [], arrows_won: won, last_doubt: null }, me);
  if (taker !== null)
    $(`[data-seat="${taker}"] .mini:nth-last-child(1 of .mini:not(.empty))`, list)?.classList.add('new');
  return list;
}

/**
 * The dialog's content: who doubted which colour, the row, and the verdict.
 * @param {View} view
 * @param {Doubt} doubt
 * @param {number | null} me
 * @param {View['arrows_won']} won before it
 */
const contentOf = (view, doubt, me, won) => [
  chips(view, me, won),
  colourBar(doubt.arrow),
  h(
    'header',
    { class: 'doubted' },
    h(
      'h2',
      {},
      view.players.filter(({ seat }) => seat === doubt.seat).map((doubter) => face(doubter)),
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
    h('b', {}, headline(view, doubt, me)),
    h('div', { class: 'prize', 'aria-hidden': 'true' }, arrow(doubt.arrow)),
    verdictLines(view, doubt, me).map((line) => h('p', {}, line)),
  ),
];

/**
 * @param {TableState} state
 * @param {HTMLElement} card
 * @param {Doubt} doubt
 * @param {number} at
 * @param {AbortSignal} signal
 */
async function turnCard(state, card, doubt, at, signal) {
  const { arrow, row, falls } = doubt;
  if (!signal.aborted) await suspense(card, doubt, at, signal);
  if (!signal.aborted) {
    if (falls.includes(at)) play(state, 'fall');
    else pling(state, row[at]?.shares[arrow] ?? 0);
  }
  card.classList.remove('veiled', 'measured');
  await wait(at < LATE ? CARD_MS : LATE_CARD_MS, signal);
}

/**
 * Before a card is turned, only the colour that counts is shown; before a fall, its two cards come forward.
 * @param {HTMLElement} card
 * @param {Doubt} doubt
 * @param {number} at
 * @param {AbortSignal} signal
 */
async function suspense(card, { arrow, row, falls }, at, signal) {
  card.classList.add('measured');
  const image = required('img', HTMLImageElement, card);
  const address = row[at]?.card ?? '';
  await showPicture(image, address, arrow);
  await wait(ALONE_MS, signal);
  await showPicture(image, address);
  if (!falls.includes(at)) return;
  const pair = [card.previousElementSibling, card];
  for (const each of pair) each?.classList.add('tense');
  await wait(at === falls[0] ? HOLD_MS : FALL_MS, signal);
  for (const each of pair) each?.classList.remove('tense');
}

/** @param {{ done: boolean }} state */
function setButtons({ done }) {
  dialog().classList.toggle('done', done);
  const [order, on, believed] = [orderButton(), goOnButton(), believedButton()];
  if (!order || !on || !believed) return;
  order.setAttribute('aria-pressed', 'false');
  order.hidden = !$('.fall-mark', content()); // a right row is in order
  believed.setAttribute('aria-pressed', 'false');
  believed.hidden = !done || !$('.player .bot-face');
  on.textContent = done ? _('Continue') : _('Skip');
}

/** Closes all other dialogs but the settings. */
function closeOthers() {
  for (const other of $$('.zoom[open], .ask[open]:not(.settings, #seats)')) {
    if (other instanceof HTMLDialogElement) other.close();
  }
}

/**
 * The first press skips the animation, the next one closes the reveal.
 * @param {TableState} state
 */
export function skipOrClose(state) {
  if (!skip(state)) dialog().close();
}

/**
 * Shows the rest of the row at once.
 * @param {TableState} state
 * @returns {boolean} whether there was a rest
 */
function skip({ turning }) {
  if (!turning || turning.signal.aborted) return false;
  turning.abort();
  return true;
}

/**
 * Closes an untouched reveal once the table has played on.
 * @param {TableState} state
 * @param {number} cards
 */
function closeLater(state, cards) {
  clearTimeout(state.timers.closing);
  const ms = closeDelay_ms(state, cards);
  if (ms === null) return;
  state.timers.closing = setTimeout(() => {
    if (state.waiting.length || (state.shared && !state.reading.length)) dialog().close();
    else closeLater(state, cards);
  }, ms);
}

/**
 * A shared screen closes its reveal with the last person at the table.
 * @param {TableState} state
 */
export function closeShared(state) {
  if (!state.shared || !state.turning?.signal.aborted || state.reading.length) return;
  clearTimeout(state.timers.closing);
  state.timers.closing = setTimeout(() => dialog().close(), HURRY_MS);
}

/**
 * The delay after which a reveal closes by itself: never for players without a clock; sooner on a shared screen if the next
 * doubt is waiting.
 * @param {TableState} state
 * @param {number} cards
 */
export function closeDelay_ms(state, cards) {
  if (state.held.length && state.view.clock === null) return null;
  if (!state.shared) return GO_ON_MS;
  return isDoubtWaiting(state) ? HURRY_MS : SHARED_GO_ON_MS + SHARED_GO_ON_PER_CARD_MS * cards;
}

/** Toggles between the cards' right order and the row as it lay. */
export function showRightOrder() {
  const row = required('.turned-row', HTMLElement, dialog());
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

/**
 * Shows each bot's estimates below the true shares, or hides them.
 * @param {TableState} state
 */
export async function toggleBelieved(state) {
  const shown = $$('.saw', dialog());
  believedButton()?.setAttribute('aria-pressed', String(!shown.length));
  for (const line of shown) line.remove();
  if (shown.length) return;
  const answer = await send(state, 'GET', 'believed', undefined, { quiet: true });
  if (isDoubtWaiting(state)) {
    required('[data-do=believed]', HTMLElement, dialog()).hidden = true; // the answer is of another row
    return;
  }
  const believed = /** @type {Believed[]} */ (answer?.believed ?? []);
  const cards = $$('.turned', dialog());
  for (const { seat, shares } of believed) {
    if (shares.length !== cards.length) continue; // of another row
    for (const card of cards) card.append(saw(state, seat, shares[Number(card.dataset.at)] ?? 0));
  }
}

/**
 * @param {TableState} state
 * @param {number} seat
 * @param {number} share
 */
const saw = ({ view }, seat, share) =>
  h(
    'p',
    { class: 'saw' },
    view.players.filter((player) => player.seat === seat).map((bot) => face(bot, bot.name)),
    percent(share),
  );

/** @param {TableState} state */
export function bindReveal(state) {
  dialog().addEventListener('cancel', (event) => {
    if (skip(state)) event.preventDefault();
  });
  dialog().addEventListener('close', () => {
    skip(state);
    clearTimeout(state.timers.closing);
    const lostFocus = !document.activeElement || document.activeElement === document.body;
    if (lostFocus) $('#state .turn')?.focus({ preventScroll: true });
  });
  for (const touch of ['pointerdown', 'keydown']) {
    dialog().addEventListener(touch, () => {
      if (!state.shared) clearTimeout(state.timers.closing);
    });
  }
}
