// Texts in the reader's language. The page has the scripts' texts (`#texts`) in the order of their English wording, for which
// the server puts their indices into scripts; and the names of colours, levels and the like (`#names`).
import { required } from './dom.js';

/** @typedef {Readonly<Record<string, string | number>>} Values */

/**
 * @typedef {object} Names
 * @property {Record<import('../table/messages.js').Colour, string>} colours
 * @property {Record<import('../table/messages.js').Colour, string>} arrows
 * @property {Record<string, string>} levels
 * @property {Record<string, string>} variants
 * @property {Record<string, string>} variantSentences
 * @property {Record<string, string>} penalties what a wrong doubt costs
 * @property {Record<string, string>} penaltySentences
 * @property {Record<string, string>} reactions what a reaction is called
 * @property {Record<string, string>} reactionWords what is said of whoever shows it
 * @property {number[]} clocks seconds for a turn that can be chosen
 */

/** @type {Map<string, unknown>} */
const read = new Map();

/**
 * The JSON in a `<script>` element of the page.
 * @param {string} id
 */
export function pageData(id) {
  if (!read.has(id)) read.set(id, JSON.parse(required(`#${id}`, HTMLScriptElement).textContent ?? ''));
  return read.get(id);
}

/**
 * Sets such data in tests, which have no page.
 * @param {string} id
 * @param {unknown} data
 */
export const setPageData = (id, data) => void read.set(id, data);

/** @returns {Names} */
export const names = () => /** @type {Names} */ (pageData('names'));

/**
 * A text in the reader's language, with values: `_('Round %(round)s', { round: 3 })`. The first argument is always a literal,
 * for extraction.
 * @param {string} text
 * @param {Values} [values]
 */
export const _ = (text, values) =>
  format(/** @type {Record<string, string>} */ (pageData('texts'))[text] ?? text, values);

/** @param {number | string} share */
export const percent = (share) => _('%(share)s%%', { share });

/**
 * @param {string} text
 * @param {Values} [values]
 */
export const format = (text, values = {}) =>
  text.replace(/%(?:\((\w+)\)s|%)/g, (found, name) => (name ? String(values[name] ?? found) : '%'));
