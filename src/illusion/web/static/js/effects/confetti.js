// Confetti cut from the deck's shapes, for whoever wins.
import { symbol } from '../draw/elements.js';
import { reducedMotion } from '../shared/settings.js';

/** @typedef {import('../connection/messages.js').Colour} Colour */

const PIECES = 60;
const FALL_MS = 3600;
/** @type {Colour[]} */
const COLOURS = ['red', 'yellow', 'green', 'blue'];

export function throwConfetti() {
  if (reducedMotion() || document.visibilityState !== 'visible') return;
  const sky = document.createElement('div');
  sky.className = 'confetti';
  sky.setAttribute('aria-hidden', 'true');
  document.body.append(sky);
  for (let piece = 0; piece < PIECES; piece += 1) sky.append(falling(COLOURS[piece % COLOURS.length] ?? 'red'));
  setTimeout(() => sky.remove(), FALL_MS * 1.6);
}

/** @param {Colour} colour */
function falling(colour) {
  const piece = symbol(colour);
  const [from, drift, turns] = [Math.random() * 100, (Math.random() - 0.5) * 30, (Math.random() - 0.5) * 4];
  piece.animate(
    [
      { transform: `translate(${from}vw, -8vh) rotate(0turn)` },
      { transform: `translate(${from + drift}vw, 108vh) rotate(${turns}turn)` },
    ],
    { duration: FALL_MS * (0.7 + Math.random() * 0.5), delay: Math.random() * 900, easing: 'linear', fill: 'both' },
  );
  return piece;
}
