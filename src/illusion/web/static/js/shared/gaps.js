// The gap that somebody has chosen, before the card is placed: the card is shown there as a ghost.
import { $$ } from './dom.js';

/**
 * @param {HTMLElement} gap
 * @param {HTMLElement} card
 */
export function showChoice(gap, card) {
  const ghost = /** @type {HTMLImageElement} */ (card.cloneNode());
  ghost.className = 'card ghost';
  ghost.alt = '';
  gap.append(ghost);
  gap.classList.add('chosen');
  gap.setAttribute('aria-pressed', 'true');
}

/** @param {ParentNode} root */
export function clearChoice(root) {
  for (const gap of $$('.gap.chosen', root)) {
    gap.replaceChildren();
    gap.classList.remove('chosen');
    gap.removeAttribute('aria-pressed');
  }
}

/**
 * The gap that a key leads to: the arrows step and stop at the ends, Home and End go there.
 * @param {readonly number[]} gaps those that can be chosen, in order
 * @param {number | null} chosen
 * @param {string} key
 * @returns {number | null}
 */
export function gapByKey(gaps, chosen, key) {
  const last = gaps.length - 1;
  const at = chosen === null ? -1 : gaps.indexOf(chosen);
  switch (key) {
    case 'ArrowRight':
      return gaps[Math.min(last, at + 1)] ?? null;
    case 'ArrowLeft':
      return gaps[at < 0 ? last : Math.max(0, at - 1)] ?? null;
    case 'Home':
      return gaps[0] ?? null;
    case 'End':
      return gaps[last] ?? null;
    default:
      return null;
  }
}
