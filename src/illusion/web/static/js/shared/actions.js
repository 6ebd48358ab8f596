// Buttons and links that name what they do (data-do).
import { closest } from './dom.js';

/** @typedef {Record<string, () => unknown>} Actions */

/**
 * Calls the action that a pressed button names.
 * @param {Actions} actions
 */
export function bindActions(actions) {
  document.addEventListener('click', (event) => {
    const name = closest(event, 'button, a')?.dataset.do;
    const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
}
