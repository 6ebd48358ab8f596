// The page of a table: creates its state and binds all actions.
import { bindGuessing, goToGuess } from '../draw/guesses.js';
import { shareIllusion, showIllusion } from '../draw/over.js';
import { levelOf } from '../draw/players.js';
import { sinceMyTurn } from '../draw/playing.js';
import { bindReveal, showRightOrder, skipOrClose, toggleBelieved, turnOver } from '../draw/reveal.js';
import { bindSeats, seatActions } from '../draw/seats.js';
import { $$, bindActions, closest, required, wait } from '../shared/dom.js';
import { HOME, tablePage } from '../shared/server.js';
import { _ } from '../shared/texts.js';
import { bindReactions } from '../table/bubbles.js';
import { follow, followRematch } from '../table/following.js';
import { bindLens, bindZoom, compare, compareZoomed, look } from '../table/looking.js';
import { addLiveRegions, ask, send, toast } from '../table/notices.js';
import { askDoubt, bindHolding, bindKeys, bindPlacing, choose, place, step, takeBack } from '../table/placing.js';
import { start } from '../table/render.js';
import { bindHurry, bindSound } from '../table/sound.js';
import { isHost, mySeat } from '../table/state.js';

/** @typedef {import('../table/state.js').TableState} TableState */

const LAID_AGAIN_MS = 700;

/** @param {TableState} state */
const actions = (state) => ({
  ...seatActions(state),
  help: () => openHelp(state),
  menu: () => required('.top', HTMLElement).classList.toggle('open'),
  replay: () => replayMoves(state),
  place: () => place(state),
  'gap-before': () => step(state, 'ArrowLeft'),
  'gap-after': () => step(state, 'ArrowRight'),
  'take-back': () => takeBack(state),
  'ask-doubt': () => askDoubt(state),
  'ask-leave': () => ask('ask-leave', () => leave(state)),
  'come-back': () => send(state, 'PUT', 'seats/me'),
  start: () => send(state, 'POST', 'start'),
  rematch: () => playAgain(state),
  share: () => shareLink(state),
  'fill-seat': () => openFreeSeat(state),
  compare: () => compareZoomed(state),
  'stop-compare': () => compare(state, null),
  reveal: () => turnOver(state, state.view, { animated: false }),
  'go-on': () => skipOrClose(state),
  'right-order': showRightOrder,
  believed: () => toggleBelieved(state),
  'show-illusion': showIllusion,
  'share-illusion': () => shareIllusion(state),
});

/** @param {TableState} state */
function openHelp({ view }) {
  const promise = required('#commitment', HTMLElement);
  promise.hidden = view.commitment === null;
  promise.textContent = _('Fair deal: %(commitment)s…', { commitment: view.commitment?.slice(0, 16) ?? '' });
  required('#help', HTMLDialogElement).showModal();
}

/**
 * Opens the choice for a free seat: invite somebody, or, for the host, add a bot.
 * @param {TableState} state
 */
function openFreeSeat(state) {
  required('#bot-levels', HTMLElement).hidden = !isHost(state);
  required('#fill', HTMLDialogElement).showModal();
}

/** @param {TableState} state */
async function leave(state) {
  state.held = []; // what happens to our seats is no news any more
  await send(state, 'DELETE', 'seats/me', undefined, { quiet: true });
  location.href = HOME;
}

/** @param {TableState} state */
async function playAgain(state) {
  if (state.view.rematch) return followRematch(state, state.view.rematch);
  const answer = await send(state, 'POST', 'rematch');
  if (answer) location.href = tablePage(String(answer.table));
}

/** @param {TableState} state */
async function shareLink(state) {
  const link = required('#link', HTMLInputElement);
  if (typeof navigator.share === 'function')
    return navigator.share({ title: document.title, url: link.value }).catch(() => {});
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    link.closest('details')?.setAttribute('open', '');
    link.select();
    document.execCommand('copy'); // the only way without HTTPS
  }
  return toast(state, _('Link copied.'));
}

/**
 * What the others laid since our last turn is taken out of the row and laid once more, card by card.
 * @param {TableState} state
 */
async function replayMoves(state) {
  const cells = $$('#row .cell');
  const since = sinceMyTurn(state.view, mySeat(state));
  for (const { at } of since) cells[at]?.classList.add('out');
  for (const { at } of since) {
    await wait(LAID_AGAIN_MS);
    cells[at]?.classList.replace('out', 'again');
  }
}

/**
 * @param {TableState} state
 * @param {MouseEvent} event
 */
function onClick(state, event) {
  const button = closest(event, 'button');
  const { gap, look: card, removeBot, addBot: level } = button?.dataset ?? {};
  const twin = closest(event, '.twin')?.dataset.twin;
  const endsDrag = state.drag.moved && event.detail !== 0;
  if (gap !== undefined) choose(state, Number(gap), { atLineEnd: Number(gap) === state.chosenGap && state.atLineEnd });
  else if (twin !== undefined) choose(state, Number(twin), { atLineEnd: true });
  else if (card && !endsDrag) look(state, card);
  else if (closest(event, '.in-play .player')) tellWho(state, closest(event, '.player'));
  else if (removeBot) send(state, 'DELETE', `bots/${removeBot}`);
  else if (level) {
    required('#fill', HTMLDialogElement).close();
    send(state, 'POST', 'bots', { level });
  }
}

/**
 * On small screens a chip has room for a part of a name.
 * @param {TableState} state
 * @param {HTMLElement | null} chip
 */
function tellWho(state, chip) {
  const player = state.view.players.find(({ seat }) => seat === Number(chip?.dataset.seat));
  if (player) toast(state, player.level === null ? player.name : `${player.name}: ${levelOf(player)}`);
}

/**
 * The host has changed what is played.
 * @param {TableState} state
 * @param {Event} event
 */
function onChange(state, event) {
  const form = closest(event, '[data-arrange]');
  if (!(form instanceof HTMLFormElement)) return;
  const data = new FormData(form);
  send(state, 'PUT', '', {
    variant: data.get('variant'),
    penalty: data.get('penalty'),
    guesses: data.get('guesses') === 'on',
    clock: data.get('clock') ? Number(data.get('clock')) : null,
  });
}

const state = start();
for (const button of $$('[data-do=share]')) if ('share' in navigator) button.textContent = button.dataset.share ?? '';
addLiveRegions();
bindActions(actions(state));
document.addEventListener('click', (event) => onClick(state, event));
document.addEventListener('change', (event) => onChange(state, event));
bindPlacing(state);
bindHolding(state);
bindGuessing(state);
bindKeys(state, {
  d: () => askDoubt(state),
  g: goToGuess,
  l: () => turnOver(state, state.view, { animated: false }),
  '?': () => openHelp(state),
});
bindZoom();
bindReveal(state);
bindReactions(state);
bindSeats(state);
bindLens();
bindSound(state);
bindHurry(state);
follow(state);
