// The viewer's palette is part of the address of every picture. The server sends all viewers the same fragment of a
// table; its pictures get their palette here before the fragment is on the page, so none is loaded in another one.
import { $$ } from './dom.js';

const PICTURE = /^(\/(?:[^?]*\/)?(?:cards|sample)\/[^?/]+\.svg)(?:\?.*)?$/;
const RETRY_MS = 2500;

/**
 * The address of a picture in a palette; other addresses stay as they are.
 * @param {string} address
 * @param {string | undefined} palette
 */
export function inPalette(address, palette) {
  const plain = PICTURE.exec(address)?.[1];
  if (!plain) return address;
  return palette && palette !== 'standard' ? `${plain}?palette=${palette}` : plain;
}

/** @param {string} address */
export const painted = (address) => inPalette(address, document.documentElement.dataset.palette);

/**
 * Puts all pictures into the viewer's palette, those inside of templates too.
 * @param {ParentNode} root
 */
export function paint(root) {
  for (const image of $$('img', root)) {
    const address = image.getAttribute('src') ?? '';
    if (painted(address) !== address) image.setAttribute('src', painted(address));
  }
  for (const holder of $$('template', root)) {
    if (holder instanceof HTMLTemplateElement) paint(holder.content);
  }
}

/** A picture that could not be loaded is asked for again. */
export function bindPictures() {
  const retry = (/** @type {Event} */ { target }) => {
    if (!(target instanceof HTMLImageElement)) return;
    setTimeout(() => target.setAttribute('src', target.getAttribute('src') ?? ''), RETRY_MS);
  };
  document.addEventListener('error', retry, true); // load errors do not bubble
}
