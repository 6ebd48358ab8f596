// On every page: settings, printing, pictures in the viewer's palette, forms that are sent once, and the offline page.
import { $, badge, bindActions, required } from '../shared/dom.js';
import { bindPictures } from '../shared/pictures.js';
import { at, HOME } from '../shared/server.js';
import { bindSettings, explainAgain, hasLearned, openSettings } from '../shared/settings.js';

const OFFLINE = at('/offline');
const REST_MS = 5000;
const FIRST_MS = 1000;
const AGAIN_MS = 2000;

/**
 * Disables a form's buttons for a while after it was sent, against double taps; not for ever, since the answer may get lost.
 * In the next task, because a disabled button would not be part of the form's data.
 * @param {SubmitEvent} event
 */
function restAfterSending({ target: form }) {
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
  const buttons = [...form.elements].filter((each) => each instanceof HTMLButtonElement);
  /** @param {boolean} disabled */
  const setDisabled = (disabled) => {
    for (const button of buttons) button.disabled = disabled;
  };
  setTimeout(setDisabled, 0, true);
  setTimeout(setDisabled, REST_MS, false);
}

/**
 * On the offline page: polls the server until it answers, then opens the page that was wanted.
 * @param {HTMLElement} page
 * @returns {Promise<void>}
 */
async function retry(page) {
  const response = await fetch(OFFLINE, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!response?.ok) {
    setTimeout(() => retry(page), AGAIN_MS);
    return;
  }
  required('[role=status]', HTMLElement, page).textContent = page.dataset.back ?? '';
  if (location.pathname === OFFLINE) location.replace(HOME);
  else location.reload();
}

bindActions({ settings: openSettings, 'explain-again': explainAgain, print: () => print() });
bindPictures();
bindSettings();
document.addEventListener('submit', restAfterSending);

// The service worker stores the offline page.
const { lang } = document.documentElement;
navigator.serviceWorker?.register(at(`/worker.js?language=${lang}`)).catch(() => {});

const offline = $('[data-offline]');
if (offline) {
  setTimeout(() => retry(offline), FIRST_MS);
  addEventListener('online', () => retry(offline));
}

// On the home page the tutorial is a link instead of a button once it has been finished.
if (hasLearned()) $('.offer')?.classList.replace('button', 'quiet');

// The home page counts the tables where it is this device's turn.
const home = $('[data-turns]');
if (home) badge(Number(home.dataset.turns));
