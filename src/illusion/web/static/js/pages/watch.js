// The shared screen: the row as large as it fits, however long it gets. Nothing can be pressed.
import { bindReveal } from '../dialogs/reveal.js';
import { $, $$, the } from '../shared/dom.js';
import { largestCards } from '../shared/fitting.js';
import { addLiveRegions } from '../table/live-region.js';
import { start } from '../table/render.js';
import { bindStream } from '../table/stream.js';

const UNDER_ROW_REM = 0.6; // what is below each card: who laid it
const UNDER_TURNED_REM = 3.6; // its share, and who laid it

const main = the('#table', HTMLElement);
const reveal = the('#reveal', HTMLDialogElement);

/**
 * Makes the cards of a row as wide as its box allows.
 * @param {HTMLElement} row
 * @param {number} cards how many
 * @param {HTMLElement} box
 * @param {{ rem: number, under: number, height?: number }} room
 */
function fit(row, cards, box, { rem, under, height = box.clientHeight }) {
  const style = getComputedStyle(box);
  const width = box.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
  const { card, perLine } = largestCards(cards, { width, height, gap: rem, under });
  row.style.setProperty('--card', `${card}px`);
  row.style.maxWidth = `${perLine * (card + rem)}px`;
}

function fitAll() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const row = $('.scroller', main);
  if (row?.parentElement) {
    fit(row, $$('.arrow-card, .look', row).length, row.parentElement, { rem, under: rem * UNDER_ROW_REM });
  }
  const under = rem * UNDER_TURNED_REM;
  const last = $('.last .turned-row', main);
  if (last?.parentElement) fit(last, $$('.turned', last).length, last.parentElement, { rem, under });
  const content = the('.content', HTMLElement, reveal);
  const turned = $('.turned-row', content);
  if (!reveal.open || !turned) return;
  const others = $$(':scope > :not(.turned-row)', content);
  const taken = others.reduce((sum, each) => sum + each.offsetHeight + rem, rem);
  fit(turned, $$('.turned', turned).length, content, { rem, under, height: content.clientHeight - taken });
}

const observer = new ResizeObserver(fitAll); // of the screen, and of everything that leaves room for the row
const observeBoxes = () => {
  for (const box of $$('.board, .last', main)) observer.observe(box);
};
observer.observe(reveal);
main.addEventListener('settled', observeBoxes);

const state = start({ shared: true });
addLiveRegions();
bindReveal(state);
bindStream(state);
navigator.wakeLock?.request('screen').catch(() => {}); // a television should stay on during the game
