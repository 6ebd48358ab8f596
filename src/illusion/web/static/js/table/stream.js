// The stream of what happens. A lost connection is said, tried again, and said to be back; what was missed comes then.
import { send } from './requests.js';
import { $, wait } from '../shared/dom.js';
import { say, sayAll } from './live-region.js';
import { reacted } from './reactions.js';
import { reveal, turnOver } from '../dialogs/reveal.js';
import { held, id, seq, state, texts } from './state.js';
import { isNewer, replace } from './render.js';

export const waiting = []; // messages that wait until the reveal has been watched
let lastEvent = 0;
let stream;

export function listen() {
  stream?.close();
  stream = new EventSource(`/table/${id}/live?after=${Math.max(lastEvent, seq())}`);
  const current = stream;
  current.onopen = connected;
  current.onerror = () => {
    losing ??= setTimeout(lost, 2500);
    if (current.readyState === EventSource.CLOSED) setTimeout(() => { if (stream === current) listen(); }, 3000);
  };
  current.addEventListener('table', (message) => { waiting.push(JSON.parse(message.data)); pump(); });
  current.addEventListener('reaction', (message) => reacted(JSON.parse(message.data)));
}
addEventListener('offline', () => lost());
addEventListener('online', () => listen());

// ---- Lost and back

const banner = $('#banner');
let losing;
let isLost = false;
let hiding;

function lost() {
  clearTimeout(losing);
  if (!isLost) tell(texts.lost);
  isLost = true;
}

function connected() {
  clearTimeout(losing);
  losing = undefined;
  if (!isLost) return;
  isLost = false;
  tell(texts.back);
  hiding = setTimeout(() => { banner.hidden = true; banner.hidePopover?.(); }, 3000);
}

function tell(text) {
  clearTimeout(hiding);
  banner.textContent = text;
  banner.hidden = false;
  banner.showPopover?.();
  say(text);
}

// ---- One message after another

let pumping = false;
export async function pump() {
  if (pumping) return;
  pumping = true;
  try {
    while (waiting.length && !reveal.open) {
      await take(waiting.shift());
      if (waiting.length && !reveal.open) await wait(waiting.length > 5 ? 60 : 450);
    }
  } finally {
    pumping = false;
  }
}
reveal.addEventListener('close', () => { clearTimeout(later); pump(); });

async function take({ seq: number, html, event, said }) {
  const isNew = event.seq > lastEvent;
  lastEvent = Math.max(lastEvent, event.seq);
  const happened = isNew ? event.happened : [];
  if (isNewer(number)) await replace(html, happened.find((each) => each.event === 'card-placed')?.card);
  if (happened.some((each) => each.event === 'row-doubted')) turnOver(true).then(goOnLater);
  if (isNew) sayAll(said);
  if (event.entry === 'played-again') await follow(event.table);
}

// Whoever sat here gets the same seat there; the answer brings the cookie for it. A shared screen comes along.
export async function follow(other) {
  if (held.length) await send('POST', 'rematch', undefined, true);
  location.href = location.pathname.replace(id, other);
}

// The table has played on and nobody touches the reveal: go back to it, but hurry no player where there is no clock.
// A shared screen goes back by itself, and sooner if the next doubt waits already.
let later;
const shared = document.body.matches('.watching');
function goOnLater() {
  clearTimeout(later);
  if (held.length && !state().dataset.clock) return;
  const cards = $('.turned-row', reveal)?.children.length ?? 0;
  const hurry = waiting.some(({ event }) => event.happened.some((each) => each.event === 'row-doubted'));
  const ms = !shared ? 12000 : hurry ? 2000 : 5000 + 300 * cards;
  later = setTimeout(() => { if (waiting.length || shared) reveal.close(); else goOnLater(); }, ms);
}
for (const touch of ['pointerdown', 'keydown']) reveal.addEventListener(touch, () => { if (!shared) clearTimeout(later); });
