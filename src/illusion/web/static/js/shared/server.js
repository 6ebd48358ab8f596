// URLs for scripts (those of the server are in web/urls.py), and requests.
import { wait } from './dom.js';
import { _ } from './texts.js';

// The path under which the game is served, such as /illusion, or nothing. Every page holds it.
const ROOT = globalThis.document?.documentElement.dataset.root ?? '';

/**
 * The URL of one of our paths.
 * @param {string} path
 */
export const at = (path) => ROOT + path;

export const HOME = at('/');

/**
 * @param {string} table
 * @param {string} path below the table's own address; empty for the table itself
 */
export const apiTable = (table, path) => at(`/api/tables/${table}${path && `/${path}`}`);

/** @param {string} table */
export const tablePage = (table) => at(`/table/${table}`);

/** @param {string} table */
export const seatsPage = (table) => `${tablePage(table)}/seats`;

/**
 * @param {string} table
 * @param {number} after the number of the last event seen
 */
export const tableSocket = (table, after) => at(`/table/${table}/live?after=${after}`);

/** @param {string} card */
export const cardPicture = (card) => at(`/cards/${card}.svg`);

/** @param {string} table */
export const replayPage = (table) => at(`/table/${table}/replay`);

/** @param {string} table */
export const illusionPage = (table) => at(`/table/${table}/illusion`);

/** @param {string} table */
export const reviewPage = (table) => at(`/table/${table}/review`);

/** @param {string} table */
export const recordFile = (table) => at(`/api/tables/${table}/record`);

/**
 * @param {string} level
 * @param {string} name
 * @param {string} [mood]
 */
export const facePicture = (level, name, mood = 'calm') =>
  at(`/faces/${level}/${encodeURIComponent(name)}.svg${mood === 'calm' ? '' : `?mood=${mood}`}`);

export const OWN_EYES = at('/api/eyes');

export const REMEMBERED_EYES = at('/eyes');

/**
 * The fragment for a moment of a replay: `#r3.5` is the fifth move of the third round, `#r3.0` its beginning.
 * @param {{ round: number, move: number }} moment
 */
export const addressOf = ({ round, move }) => `#r${round}.${move}`;

/**
 * The moment that a fragment names; the beginning, if it names none.
 * @param {readonly { round: number, move: number }[]} moments
 * @param {string} hash
 */
export function momentAt(moments, hash) {
  const found = /^#r(\d+)\.(\d+)$/.exec(hash);
  if (!found) return 0;
  const [round, move] = [Number(found[1]), Number(found[2])];
  return Math.max(
    0,
    moments.findIndex((moment) => moment.round === round && moment.move === move),
  );
}

/**
 * @param {string} table
 * @param {number} round
 * @param {number} move
 */
export const momentPage = (table, round, move) => replayPage(table) + addressOf({ round, move });

const RETRY_MS = 700;

/**
 * The result of a request: its status (0 without an answer), and the answer or the problem in words.
 * @typedef {{ status: number, answer: Record<string, any>, refusal: string }} Answered
 */

/**
 * @param {'GET' | 'POST' | 'PUT' | 'DELETE'} method
 * @param {string} address
 * @param {unknown} [body]
 * @returns {Promise<Answered>} never rejected
 */
export async function request(method, address, body) {
  /** @type {RequestInit} */
  const init = { method, headers: { 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(address, init).catch(() => null);
  const answer = (await response?.json().catch(() => null)) ?? {};
  const refusal = answer.detail || answer.title || _('That did not reach the table. Try again.');
  return { status: response?.status ?? 0, answer, refusal };
}

/**
 * Polls while the server is still computing (202).
 * @param {() => Promise<Answered>} ask
 */
export async function thoughtOver(ask) {
  for (;;) {
    const found = await ask();
    if (found.status !== 202) return found;
    await wait(RETRY_MS);
  }
}

/**
 * The review of a finished game.
 * @param {string} table
 */
export const reviewOf = (table) => thoughtOver(() => request('GET', apiTable(table, 'review')));
