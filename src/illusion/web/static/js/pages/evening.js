// A club evening, on phones and on the wall: polls the page and replaces the parts that have changed.
import { $, $$, required, wait } from '../shared/dom.js';

const AGAIN_MS = 2500;
const main = required('#main', HTMLElement);
const byHand = 'input[type=checkbox][id], details[id]';

/** Fetches the page, if something has happened, and updates this one. */
async function refresh() {
  const told = await fetch(main.dataset.seqAt ?? '', { cache: 'no-store' });
  const { seq } = await told.json();
  if (!told.ok || String(seq) === main.dataset.seq) return;
  const page = await fetch(location.pathname, { cache: 'no-store' });
  if (!page.ok) return;
  const fresh = new DOMParser().parseFromString(await page.text(), 'text/html');
  for (const section of $$('[data-fresh]')) {
    const other = fresh.getElementById(section.id);
    if (other && other.innerHTML !== section.innerHTML) replace(section, other);
  }
  main.dataset.seq = $('#main', fresh)?.dataset.seq ?? '';
}

/**
 * Replaces a part; keeps ticked boxes, opened details and the focus.
 * @param {HTMLElement} section
 * @param {HTMLElement} other
 */
function replace(section, other) {
  const before = $$(byHand, section);
  const focused = section.contains(document.activeElement) ? document.activeElement?.id : '';
  section.replaceChildren(...other.childNodes);
  for (const each of before) {
    const again = document.getElementById(each.id);
    if (again instanceof HTMLInputElement && each instanceof HTMLInputElement) again.checked = each.checked;
    if (again instanceof HTMLDetailsElement && each instanceof HTMLDetailsElement) again.open = each.open;
  }
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

async function follow() {
  for (;;) {
    await wait(AGAIN_MS);
    if (!document.hidden) await refresh().catch(() => {});
  }
}

document.addEventListener('visibilitychange', () => !document.hidden && refresh().catch(() => {}));
follow();
