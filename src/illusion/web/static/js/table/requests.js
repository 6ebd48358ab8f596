// Asking the server for something, and saying so when it does not want to.
import { $ } from '../shared/dom.js';
import { id, texts } from './state.js';

export async function send(method, path, body, quiet = false) {
  const init = { method, headers: { 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  try {
    const answer = await fetch(`/api/tables/${id}${path && `/${path}`}`, init);
    const told = await answer.json().catch(() => ({}));
    if (answer.ok) return told;
    if (told.code !== 'stale' && !quiet) toast(told.detail || told.title || texts.failed);
  } catch {
    if (!quiet) toast(texts.failed);
  }
  return null;
}

let fading;
export function toast(text) {
  const element = $('#toast');
  element.textContent = text;
  element.hidden = false;
  element.showPopover?.();
  clearTimeout(fading);
  fading = setTimeout(() => { element.hidden = true; element.hidePopover?.(); }, 5000);
}

// A question with yes and no.
export function asked(name, then) {
  const dialog = $(`#${name}`);
  dialog.returnValue = '';
  dialog.showModal();
  dialog.addEventListener('close', () => { if (dialog.returnValue === 'yes') then(); }, { once: true });
}
