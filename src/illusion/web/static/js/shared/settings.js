// What this device has chosen for itself. The server writes it on <html> from a cookie; a change is seen at once.
import { $$, the } from './dom.js';
import { paint } from './pictures.js';

const YEAR_S = 365 * 24 * 3600;

/** @typedef {'palette' | 'theme' | 'motion' | 'sound' | 'reactions' | 'keys'} SettingName */

/** @param {SettingName} name */
export const setting = (name) => document.documentElement.dataset[name];

export const reducedMotion = () =>
  setting('motion') === 'reduced' || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The settings dialog: every choice takes effect and is remembered when it is made. */
export function bindSettings() {
  const panel = the('#settings', HTMLDialogElement);
  panel.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.type === 'radio') change(target.name, target.value);
    else changeOwnName(target.value.trim());
  });
  panel.addEventListener('click', ({ target }) => {
    if (target === panel) panel.close(); // a press outside the dialog's content
  });
}

export const openSettings = () => the('#settings', HTMLDialogElement).showModal();

/**
 * @param {string} name
 * @param {string} value
 */
function change(name, value) {
  const { dataset } = document.documentElement;
  dataset[name] = value;
  remember('settings', new URLSearchParams(/** @type {Record<string, string>} */ ({ ...dataset })).toString());
  if (name === 'palette') paint();
}

/** @param {string} name */
function changeOwnName(name) {
  remember('name', encodeURIComponent(name));
  for (const field of $$('input[autocomplete=nickname]')) {
    if (field instanceof HTMLInputElement) field.value = name;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function remember(name, value) {
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari have no cookie store
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
