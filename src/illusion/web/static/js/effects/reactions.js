// Quick reactions, shown for a moment at the sender's seat, and in the reveal while it covers the seats.

import { send } from '../connection/requests.js';
import { drawing } from '../draw/elements.js';
import { nameOf } from '../draw/sentences.js';
import { $, $$, closest, the } from '../shared/dom.js';
import { setting } from '../shared/settings.js';
import { format, names } from '../shared/texts.js';
import { say } from '../table/live-region.js';

/** @typedef {import('../connection/messages.js').ReactionMessage} ReactionMessage */
/** @typedef {import('../table/state.js').TableState} TableState */

const SHOWN_MS = 4500;

/**
 * Where a player sits on the page.
 * @param {number} seat
 * @param {ParentNode} [root]
 */
export const seatElement = (seat, root = document) =>
  $(`.player[data-seat="${seat}"], .chair[data-seat="${seat}"]`, root);

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
    bubble.append(drawing(`reaction-${face}`));
    seatElement(seat, root)?.append(bubble);
  }
}

/**
 * @param {TableState} state
 * @param {ReactionMessage} message
 */
export function showReaction(state, { seat, reaction }) {
  const words = names().reactionWords[reaction];
  const table = the('#table', HTMLElement);
  const name = nameOf(state.view, seat);
  if (!words || !name || setting('reactions') === 'muted') return;
  state.faces.set(seat, reaction);
  showFaces(state, table);
  const shape = $('.seat-shape', seatElement(seat, table) ?? table);
  const chip = document.createElement('span');
  if (shape) chip.append(shape.cloneNode(true));
  chip.append(name, drawing(`reaction-${reaction}`));
  $('.shelf')?.append(chip);
  say(format(words, { name }));
  setTimeout(() => {
    if (state.faces.get(seat) === reaction) state.faces.delete(seat);
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
