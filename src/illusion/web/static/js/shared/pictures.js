// The viewer's palette stands in the address of every picture. The server sends all viewers the same fragment of a
// table; its pictures get their palette here before they are on the page, so none is loaded or seen in another one.
import { $$ } from './dom.js';

const PICTURE = /^(\/(?:[^?]*\/)?(?:cards|sample)\/[^?/]+\.svg)(?:\?.*)?$/;

export function painted(address) {
  const { palette } = document.documentElement.dataset;
  const [, plain] = PICTURE.exec(address) ?? [];
  if (!plain) return address;
  return palette && palette !== 'standard' ? `${plain}?palette=${palette}` : plain;
}

export function paint(root) {
  for (const image of $$('img', root)) {
    const address = image.getAttribute('src');
    if (painted(address) !== address) image.setAttribute('src', painted(address));
  }
  for (const holder of $$('template', root)) paint(holder.content);
}

// A picture that did not come is asked for again.
document.addEventListener('error', ({ target }) => {
  if (target.matches?.('img')) setTimeout(() => { target.src = target.getAttribute('src'); }, 2500);
}, true);
