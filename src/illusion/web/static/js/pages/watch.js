// The shared screen: the row as large as it fits, however long it gets.
import { $, $$ } from '../shared/dom.js';
import { reveal } from '../dialogs/reveal.js';
import { main } from '../table/state.js';
import { begin } from '../table/render.js';
import { listen } from '../table/stream.js';

const HIGH = 880 / 630; // a card's height to its width

// Cards as wide as they can be in a box, in one line or in several; `under` is what stands below each card.
function fit(row, cards, box, gap, under, height = box.clientHeight) {
  const style = getComputedStyle(box);
  const width = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  let best = [0, 1];
  for (let lines = 1; lines <= 4; lines += 1) {
    const across = Math.ceil(cards.length / lines);
    const card = Math.floor(Math.min(width / across - gap, (height / lines - gap - under) / HIGH));
    if (card > best[0]) best = [card, across];
  }
  row.style.setProperty('--card', `${best[0]}px`);
  row.style.maxWidth = `${best[1] * (best[0] + gap)}px`;
}

function fitAll() {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const row = $('.scroller', main);
  if (row) fit(row, $$('.arrow-card, .look', row), row.parentElement, rem, rem * 0.6);
  const last = $('.last .turned-row', main);
  if (last) fit(last, $$('.turned', last), last.parentElement, rem, rem * 3.6);
  const content = $('.content', reveal);
  const turned = $('.turned-row', content);
  if (!reveal.open || !turned) return;
  const around = $$(':scope > :not(.turned-row)', content).reduce((sum, each) => sum + each.offsetHeight + rem, rem);
  fit(turned, $$('.turned', turned), content, rem, rem * 3.6, content.clientHeight - around);
}

const watcher = new ResizeObserver(fitAll); // of the screen, and of whatever leaves more or less room for the row
watcher.observe(reveal);
main.addEventListener('settled', () => { for (const box of $$('.board, .last', main)) watcher.observe(box); });
begin();
listen();
navigator.wakeLock?.request('screen').catch(() => {}); // a television should not fall asleep over the game
