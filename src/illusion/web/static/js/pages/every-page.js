// On every page: settings, printing, pictures in the viewer's palette, forms that are sent once, and the page for no connection.
import { $, bindActions, the } from '../shared/dom.js';
import { bindPictures } from '../shared/pictures.js';
import { at, HOME } from '../shared/root.js';
import { bindSettings, hasLearned, openSettings } from '../shared/settings.js';

const OFFLINE = at('/offline');
const REST_MS = 5000;
const FIRST_MS = 1000;
const AGAIN_MS = 2000;

/**
 * A form that was just sent is not sent again by a second tap. After a while it may: its answer may never come. What is
 * sent has been collected by the next task; before that a disabled button would not be part of it.
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
 * The page for no connection asks until the server answers, and then opens what was wanted.
 * @param {HTMLElement} page
 * @returns {Promise<void>}
 */
async function retry(page) {
  const response = await fetch(OFFLINE, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!response?.ok) {
    setTimeout(() => retry(page), AGAIN_MS);
    return;
  }
  the('[role=status]', HTMLElement, page).textContent = page.dataset.back ?? '';
  if (location.pathname === OFFLINE) location.replace(HOME);
  else location.reload();
}

bindActions({ settings: openSettings, print: () => print() });
bindPictures();
bindSettings();
document.addEventListener('submit', restAfterSending);

// It keeps the page for no connection. Without it, the browser shows one of its own.
const { lang } = document.documentElement;
navigator.serviceWorker?.register(at(`/worker.js?language=${lang}`)).catch(() => {});

const offline = $('[data-offline]');
if (offline) {
  setTimeout(() => retry(offline), FIRST_MS);
  addEventListener('online', () => retry(offline));
}

// The home page: whoever has finished the tutorial is offered it as a plain link instead of a button.
if (hasLearned()) $('.offer')?.classList.replace('button', 'quiet');
