// Finding elements, and waiting.

/**
 * The first match, or null.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement | null}
 */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * All matches.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)].map(asHtml);

/**
 * An element that the page always has, as the type it has.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function the(selector, type, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`this page has no ${selector}`);
  return found;
}

/**
 * The closest element around the target of an event, or null.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/** @param {number} ms */
export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** @param {Element} element */
const asHtml = (element) => /** @type {HTMLElement} */ (element);
