// Registers the service worker, which keeps the page for no connection. That page asks until the server answers, and then
// opens what was wanted.
import { $, the } from '../shared/dom.js';

const FIRST_MS = 1000;
const AGAIN_MS = 2000;

const { lang } = document.documentElement;
// Without a service worker the browser shows its own page for no connection.
navigator.serviceWorker?.register(`/worker.js?language=${lang}`).catch(() => {});

const page = $('[data-offline]');
if (page) {
  setTimeout(() => retry(page), FIRST_MS);
  addEventListener('online', () => retry(page));
}

/**
 * @param {HTMLElement} offlinePage
 * @returns {Promise<void>}
 */
async function retry(offlinePage) {
  const response = await fetch('/offline', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!response?.ok) {
    setTimeout(() => retry(offlinePage), AGAIN_MS);
    return;
  }
  the('[role=status]', HTMLElement, offlinePage).textContent = offlinePage.dataset.back ?? '';
  if (location.pathname === '/offline') location.replace('/');
  else location.reload();
}
