// The clock's bar shows what is left of the turn by the server's time, also when the page is opened late.
import { $ } from '../shared/dom.js';
import { main } from './state.js';

const ahead = Number(main.dataset.now) - Date.now() / 1000;

export function wind(section) {
  const spent = Date.now() / 1000 + ahead - Number(section.dataset.began);
  $('.clock', section)?.style.setProperty('--spent', `${-Math.max(0, spent)}s`);
}
