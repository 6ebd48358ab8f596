// Our addresses, as scripts need them; the server's are in web/urls.py.

/**
 * @param {string} table
 * @param {string} path below the table's own address; empty for the table itself
 */
export const apiTable = (table, path) => `/api/tables/${table}${path && `/${path}`}`;

/** @param {string} table */
export const tablePage = (table) => `/table/${table}`;

/**
 * @param {string} table
 * @param {number} after the number of the last event seen
 */
export const tableSocket = (table, after) => `/table/${table}/live?after=${after}`;

/** @param {string} card */
export const cardPicture = (card) => `/cards/${card}.svg`;

/** @param {string} table */
export const replayPage = (table) => `/table/${table}/replay`;

/** @param {string} table */
export const reviewPage = (table) => `/table/${table}/review`;

/** @param {string} table */
export const recordFile = (table) => `/api/tables/${table}/record`;

/**
 * @param {string} level
 * @param {string} name
 */
export const facePicture = (level, name) => `/faces/${level}/${encodeURIComponent(name)}.svg`;

export const OWN_EYES = '/api/eyes';

export const REMEMBERED_EYES = '/eyes';
