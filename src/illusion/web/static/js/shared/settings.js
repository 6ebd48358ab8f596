// What this device has chosen for itself. The server wrote it on <html> from a cookie; a change is seen at once.
import { $ } from './dom.js';
import { paint } from './pictures.js';

const { dataset } = document.documentElement;
const still = matchMedia('(prefers-reduced-motion: reduce)');
const YEAR = 365 * 24 * 3600;

export const setting = (name) => dataset[name];
export const calm = () => setting('motion') === 'reduced' || still.matches;

const remember = (name, value) => { document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`; };

function choose(name, value) {
  dataset[name] = value;
  remember('settings', new URLSearchParams(dataset));
  if (name === 'palette') paint(document);
}

export const panel = $('#settings');
panel?.addEventListener('change', ({ target }) => {
  if (target.type === 'radio') return choose(target.name, target.value);
  const name = target.value.trim();
  remember('name', encodeURIComponent(name));
  for (const field of document.querySelectorAll('input[autocomplete=nickname]')) field.value = name;
});
