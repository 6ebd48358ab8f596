// The settings of this device. The server writes them on <html> from a cookie; changes take effect at once.
import { $$, required } from './dom.js';
import { paint } from './pictures.js';
import { at } from './server.js';

/** @typedef {'palette' | 'theme' | 'motion' | 'sound' | 'reactions' | 'keys' | 'guesses'} SettingName */

/** @param {SettingName} name */
export const setting = (name) => document.documentElement.dataset[name];

export const reducedMotion = () =>
  setting('motion') === 'reduced' || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Binds the settings dialog: each choice takes effect and is stored at once. */
export function bindSettings() {
  const panel = required('#settings', HTMLDialogElement);
  panel.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.type === 'radio') change(target.name, target.value);
    else changeOwnName(target.value.trim());
  });
  panel.addEventListener('click', ({ target }) => {
    if (target === panel) panel.close(); // a press outside the dialog's content
  });
}

/** The first game is explained again: the button says so. */
export function explainAgain() {
  const button = required('[data-do=explain-again]', HTMLButtonElement);
  rememberFirstGame(null);
  button.textContent = button.dataset.done ?? '';
  button.setAttribute('aria-disabled', 'true');
}

export const openSettings = () => required('#settings', HTMLDialogElement).showModal();

/**
 * @param {string} name
 * @param {string} value
 */
function change(name, value) {
  document.documentElement.dataset[name] = value;
  remember({ [name]: value });
  if (name === 'palette') paint();
}

/** @param {string} name */
function changeOwnName(name) {
  remember({ name });
  for (const field of $$('input[autocomplete=nickname]')) {
    if (field instanceof HTMLInputElement) field.value = name;
  }
}

/**
 * The server sets the cookie: Safari deletes cookies of scripts after a week.
 * @param {Record<string, string>} chosen
 */
const remember = (chosen) =>
  fetch(at('/settings'), { method: 'POST', body: new URLSearchParams(chosen), keepalive: true }).catch(() => {});

const LEARNED = 'learned';

/** Whether somebody has finished the tutorial on this device; false without storage. */
export function hasLearned() {
  try {
    return localStorage.getItem(LEARNED) !== null;
  } catch {
    return false;
  }
}

export function rememberLearned() {
  try {
    localStorage.setItem(LEARNED, 'yes');
  } catch {
    // No storage: the home page keeps offering the tutorial.
  }
}

/**
 * What this device has been told at its first table, and how many turns it has had.
 * @typedef {{ told: string[], turns: number }} FirstGame
 */

const FIRST_GAME = 'first-game';

/** @returns {FirstGame | null} null where nothing can be stored: there each table is the first */
export function firstGame() {
  try {
    const { told, turns } = JSON.parse(localStorage.getItem(FIRST_GAME) ?? '{}');
    return { told: Array.isArray(told) ? told : [], turns: Number(turns) || 0 };
  } catch {
    return null;
  }
}

/** @param {FirstGame | null} known null, if everything is to be told again */
export function rememberFirstGame(known) {
  try {
    if (known) localStorage.setItem(FIRST_GAME, JSON.stringify(known));
    else localStorage.removeItem(FIRST_GAME);
  } catch {
    // It is told again at the next table.
  }
}
