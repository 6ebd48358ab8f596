// Who sits where: what somebody who comes late may take, what a host may ask of others, and whoever wants another game.
// The server draws the lists.
import { $, closest, h, required } from '../shared/dom.js';
import { seatsPage, tablePage } from '../shared/server.js';
import { _ } from '../shared/texts.js';
import { ask, send } from '../table/notices.js';
import { isHost } from '../table/state.js';
import { nameOf } from './words.js';

/** @typedef {import('../table/state.js').TableState} TableState */

const dialog = () => required('#seats', HTMLDialogElement);

/** @param {TableState} state */
export const seatActions = (state) => ({
  seats: async () => {
    await fill(state);
    if (!dialog().open) dialog().showModal();
  },
  'close-seats': () => dialog().close(),
  lock: () => send(state, 'PUT', 'lock', { locked: !state.view.locked }),
});

/**
 * Whoever opens the link of a running table is asked at once.
 * @param {TableState} state
 */
export function bindSeats(state) {
  if (!$('#seats')) return; // a guest who has not sat down: once the game begins the page is another one
  required('#table', HTMLElement).addEventListener('settled', () => show(state));
  document.addEventListener('click', (event) => onPress(state, event));
  show(state);
  if (dialog().dataset.open) dialog().showModal();
}

/** @param {TableState} state */
function show(state) {
  const { view, held, waits } = state;
  const comesLate = view.phase !== 'waiting' && !waits && (view.open_seats.length > 0 || view.can_wait);
  required('[data-do=seats]', HTMLElement).hidden = held.length
    ? !isHost(state) || view.phase === 'closed'
    : !comesLate || dialog().dataset.barred !== undefined;
  $('#invite')?.toggleAttribute('hidden', !view.open_seats.length);
  if (dialog().open) fill(state);
  offerGame(state);
}

/**
 * The list as it is now; a name that is being written stays.
 * @param {TableState} state
 */
async function fill({ table }) {
  const response = await fetch(seatsPage(table)).catch(() => null);
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').body;
  const [old, list] = [$('.list', dialog()), $('.list', fresh)];
  if (old && list) old.replaceWith(list);
  else dialog().replaceChildren(...fresh.childNodes);
}

/**
 * @param {TableState} state
 * @param {Event} event
 */
function onPress(state, event) {
  const button = closest(event, 'button');
  const { freeSeat, sendAway, giveUp } = button?.dataset ?? {};
  if (freeSeat) send(state, 'DELETE', `seats/${freeSeat}`);
  else if (giveUp) send(state, 'DELETE', `waiting/${giveUp}`);
  else if (sendAway) askToLeave(state, sendAway, button?.getAttribute('aria-label') ?? '');
}

/**
 * Somebody who was sent away may come back with another browser, so the host is offered to lock the table, too.
 * @param {TableState} state
 * @param {string} seat
 * @param {string} question
 */
function askToLeave(state, seat, question) {
  required('#send-away-title', HTMLElement).textContent = question;
  required('.also-lock', HTMLElement).hidden = state.view.locked;
  ask('ask-send-away', async () => {
    if (!state.view.locked && required('#also-lock', HTMLInputElement).checked)
      await send(state, 'PUT', 'lock', { locked: true });
    await send(state, 'DELETE', `people/${seat}`);
  });
}

/**
 * Another game is an offer: nobody is taken from the page.
 * @param {TableState} state
 */
function offerGame({ view, held, waits }) {
  const bar = required('#another-game', HTMLElement);
  const { rematch, rematch_by: by } = view;
  bar.hidden = view.phase !== 'over' || rematch === null || by === null || held.includes(by);
  if (bar.hidden || rematch === null || by === null) return;
  bar.replaceChildren(
    h('span', {}, _('%(name)s wants another game.', { name: nameOf(view, by) })),
    h(
      'a',
      { class: 'button primary', href: tablePage(rematch), 'data-do': 'rematch' },
      held.length || waits ? _('Join') : _('Just watch'),
    ),
  );
}
