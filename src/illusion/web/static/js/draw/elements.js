// Making elements.
import { the } from '../shared/dom.js';

/** @typedef {Node | string | null | false | undefined | Child[]} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * An element with its attributes and what is in it: `h('p', { class: 'soft' }, 'text')`. True is an attribute without a
 * value; false, null and undefined are none.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
const nodes = (children) =>
  children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child);
    return child === null || child === false || child === undefined ? [] : [child];
  });

/**
 * The names of classes that apply.
 * @param {...(string | false | null | undefined)} names
 */
export const classes = (...names) => names.filter(Boolean).join(' ');

/**
 * A copy of one of the drawings that the page has for scripts (`#drawings`): symbols, arrows, the shapes of seats.
 * @param {string} name
 * @returns {Element}
 */
export function drawing(name) {
  const { content } = the('#drawings', HTMLTemplateElement);
  const found = content.querySelector(`[data-drawing="${name}"]`)?.firstElementChild;
  if (!found) throw new Error(`this page has no drawing of ${name}`);
  return /** @type {Element} */ (found.cloneNode(true));
}

/** @param {import('../connection/messages.js').Colour} colour */
export const symbol = (colour) => drawing(`symbol-${colour}`);

/** @param {import('../connection/messages.js').Colour} colour */
export const arrow = (colour) => drawing(`arrow-${colour}`);

/** @param {number} seat */
export const seatShape = (seat) => drawing(`seat-${seat}`);
