// Helpers for the page: its elements, waiting, and the app's badge.
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
 * An element that must exist, with its type.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function required(selector, type, root = document) {
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

/**
 * @param {number} ms
 * @param {AbortSignal} [signal] ends the wait
 * @returns {Promise<void>}
 */
export const wait = (ms, signal) =>
  new Promise((done) => {
    if (signal?.aborted) return done();
    setTimeout(done, ms);
    signal?.addEventListener('abort', () => done(), { once: true });
    return undefined;
  });

/** @param {Element} element */
const asHtml = (element) => /** @type {HTMLElement} */ (element);

/** @typedef {Record<string, () => unknown>} Actions */

/**
 * Calls the actions that buttons name (`data-do`).
 * @param {Actions} actions
 */
export function bindActions(actions) {
  document.addEventListener('click', (event) => {
    const name = closest(event, 'button, a')?.dataset.do;
    const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** @typedef {Node | string | null | false | undefined | Child[]} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * An element with attributes and children: `h('p', { class: 'soft' }, 'text')`. True means an attribute without a value;
 * false, null and undefined mean none.
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
 * The names of classes, without falsy ones.
 * @param {...(string | false | null | undefined)} names
 */
export const classes = (...names) => names.filter(Boolean).join(' ');

/**
 * As `h`, for SVG.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function s(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * A copy of a drawing in the page's template `#drawings`: symbols, arrows, the shapes of seats.
 * @param {string} name
 * @returns {Element}
 */
export function drawing(name) {
  const { content } = required('#drawings', HTMLTemplateElement);
  const found = content.querySelector(`[data-drawing="${name}"]`)?.firstElementChild;
  if (!found) throw new Error(`this page has no drawing of ${name}`);
  return document.importNode(found, true); // elements in a template have no animations
}

/** @param {import('../table/messages.js').Colour} colour */
export const symbol = (colour) => drawing(`symbol-${colour}`);

/** @param {import('../table/messages.js').Colour} colour */
export const arrow = (colour) => drawing(`arrow-${colour}`);

/** @param {number} seat */
export const seatShape = (seat) => drawing(`seat-${seat}`);

/**
 * The installed app's badge, where the browser has one (Badging API): at how many tables somebody waits for this device.
 * @param {number} turns
 */
export function badge(turns) {
  const shown = turns ? navigator.setAppBadge?.(turns) : navigator.clearAppBadge?.();
  shown?.catch(() => {});
}
