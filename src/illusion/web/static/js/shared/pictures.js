// Pictures of cards. At a table a picture comes with the event that reveals its card, or is fetched; it is recoloured here in
// the viewer's palette, and a card is shown once its picture is ready. Other pages name a picture's address and palette.
import { $$, h } from './dom.js';
import { cardPicture } from './server.js';
import { pageData } from './texts.js';

/** @typedef {import('../table/messages.js').Colour} Colour */

const PICTURE = /^(\/(?:[^?]*\/)?(?:sample\/[^?/]+|cards)\/[^?/]+\.svg)(?:\?.*)?$/;
const RETRY_MS = 2500;
const STANDARD = 'standard';

/** @type {Map<string, Promise<string>>} the SVG text of a card in the standard palette, by its address */
const fronts = new Map();
/** @type {Map<string, HTMLImageElement>} pictures that are decoded and kept so, by card, palette and colour */
const ready = new Map();

/**
 * Pictures that came with a message: SVG by the card's address.
 * @param {Record<string, string>} pictures
 */
export function takePictures(pictures) {
  for (const [card, svg] of Object.entries(pictures)) fronts.set(card, Promise.resolve(svg));
}

/**
 * @param {string} card
 * @returns {Promise<string>}
 */
function frontOf(card) {
  const known = fronts.get(card);
  if (known) return known;
  const asked = fetch(cardPicture(card)).then((response) => {
    if (!response.ok) throw new Error(`no picture: ${response.status}`);
    return response.text();
  });
  fronts.set(card, asked);
  asked.catch(() => fronts.delete(card));
  return asked;
}

/**
 * Sets an image to a card's picture in the viewer's palette; `only` makes all colours but one pale.
 * @param {HTMLImageElement} image
 * @param {string} card
 * @param {Colour | null} [only]
 * @returns {Promise<void>} fulfilled once it has the picture
 */
export async function showPicture(image, card, only = null) {
  image.dataset.picture = card;
  image.dataset.only = only ?? '';
  const known = ready.get(key(card, only));
  if (known) {
    image.src = known.src;
    return;
  }
  const made = await pictureOf(card, only).catch(() => null);
  if (image.dataset.picture !== card || image.dataset.only !== (only ?? '')) return; // it was set to another one meanwhile
  if (made) image.src = made;
  else setTimeout(() => image.isConnected && showPicture(image, card, only), RETRY_MS);
}

/**
 * Loads the pictures of these cards, so that they can be shown at once.
 * @param {readonly string[]} cards
 * @returns {Promise<unknown>} never rejected
 */
export const prepare = (cards) =>
  Promise.all(cards.map((card) => ready.has(key(card, null)) || pictureOf(card, null))).catch(() => null);

/**
 * @param {string} card
 * @param {Colour | null} only
 */
const key = (card, only) => `${card} ${palette()} ${only ?? ''}`;

const palette = () => document.documentElement.dataset.palette ?? STANDARD;

/**
 * The address of a picture, once it is decoded: every image with this address is drawn at once then.
 * @param {string} card
 * @param {Colour | null} only
 */
async function pictureOf(card, only) {
  const name = key(card, only);
  const svg = restyled(await frontOf(card), styles(), palette(), only);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  if (!ready.has(name)) ready.set(name, image);
  return ready.get(name)?.src ?? image.src;
}

/** @returns {Record<string, string>} the style sheet of each palette's pictures */
const styles = () => /** @type {Record<string, string>} */ (pageData('palettes'));

/**
 * A picture in another palette, and with all colours but `only` pale.
 * @param {string} front
 * @param {Record<string, string>} sheets
 * @param {string} wanted
 * @param {Colour | null} only
 */
export function restyled(front, sheets, wanted, only) {
  const own = sheets[STANDARD] ?? '';
  const pale = only ? `<style>:is(.red,.yellow,.green,.blue):not(.${only}){opacity:.22}</style>` : '';
  return front.replace(own, () => (sheets[wanted] ?? own) + pale);
}

/**
 * The address of a sample picture in a palette; other addresses stay as they are.
 * @param {string} address
 * @param {string | undefined} wanted
 */
export function inPalette(address, wanted) {
  const plain = PICTURE.exec(address)?.[1];
  if (!plain) return address;
  return wanted && wanted !== STANDARD ? `${plain}?palette=${wanted}` : plain;
}

/** Shows all pictures of the page in the viewer's palette. */
export function paint() {
  for (const image of $$('img')) {
    if (!(image instanceof HTMLImageElement)) continue;
    const { picture, only } = image.dataset;
    const address = image.getAttribute('src') ?? '';
    if (picture) showPicture(image, picture, /** @type {Colour} */ (only) || null);
    else if (inPalette(address, palette()) !== address) image.setAttribute('src', inPalette(address, palette()));
  }
}

/** Retries pictures that could not be loaded. */
export function bindPictures() {
  const retry = (/** @type {Event} */ { target }) => {
    if (!(target instanceof HTMLImageElement)) return;
    setTimeout(() => target.setAttribute('src', target.getAttribute('src') ?? ''), RETRY_MS);
  };
  document.addEventListener('error', retry, true); // load errors do not bubble
}

/**
 * @param {string} card its address
 * @param {string} told what it is, in words
 * @param {string} [className]
 */
export function cardImage(card, told, className = 'card') {
  const image = h('img', { class: className, alt: told, width: 630, height: 880, draggable: 'false' });
  showPicture(image, card);
  return image;
}
