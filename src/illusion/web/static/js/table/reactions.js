// Quick reactions, shown for a moment at the sender's seat, and in the reveal while it covers the seats.
import { $, $$, closest, the } from '../shared/dom.js';
import { setting } from '../shared/settings.js';
import { say } from './live-region.js';
import { send } from './requests.js';

/** @typedef {import('./messages.js').ReactionMessage} ReactionMessage */
/** @typedef {import('./state.js').TableState} TableState */

const SHOWN_MS = 4500;

/**
 * Where a player sits on the page.
 * @param {number} seat
 * @param {ParentNode} [root]
 */
export const seatElement = (seat, root = document) =>
  $(`.player[data-seat="${seat}"], .chair[data-seat="${seat}"]`, root);

/**
 * The name of whoever sits there. Names at a table are all different.
 * @param {number} seat
 * @param {ParentNode} [root]
 */
export function nameAt(seat, root) {
  const element = seatElement(seat, root);
  return element && $('b', element)?.textContent?.trim();
}

/**
 * Shows the reactions of the moment at their seats.
 * @param {TableState} state
 * @param {ParentNode} root
 */
export function showFaces(state, root) {
  for (const old of $$('.says', root)) old.remove();
  for (const [seat, face] of state.faces) {
    const bubble = document.createElement('span');
    bubble.className = 'says';
    bubble.setAttribute('aria-hidden', 'true');
    bubble.textContent = face;
    seatElement(seat, root)?.append(bubble);
  }
}

/**
 * @param {TableState} state
 * @param {ReactionMessage} message
 */
export function showReaction(state, { seat, reaction }) {
  const words = $(`#reaction-words [data-reaction="${reaction}"]`);
  const table = the('#table', HTMLElement);
  const name = nameAt(seat, table);
  if (!words || !name || setting('reactions') === 'muted') return;
  const face = words.dataset.face ?? '';
  state.faces.set(seat, face);
  showFaces(state, table);
  const shape = $('.seat-shape', seatElement(seat, table) ?? table);
  const chip = document.createElement('span');
  if (shape) chip.append(shape.cloneNode(true));
  chip.append(`${name} ${face}`);
  $('.shelf')?.append(chip);
  say((words.textContent ?? '').replace('%(name)s', name));
  setTimeout(() => {
    if (state.faces.get(seat) === face) state.faces.delete(seat);
    showFaces(state, table);
    chip.remove();
  }, SHOWN_MS);
}

/** @param {TableState} state */
export function bindReactions(state) {
  document.addEventListener('click', (event) => {
    const reaction = closest(event, '[data-react]')?.dataset.react;
    if (reaction) send(state, 'POST', 'reactions', { reaction });
  });
}
