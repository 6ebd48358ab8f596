// Where the game is served: at the root of a site or, such as /illusion, under a path. Every page names it (web/urls.py).
const ROOT = globalThis.document?.documentElement.dataset.root ?? '';

/**
 * One of our addresses.
 * @param {string} path
 */
export const at = (path) => ROOT + path;

export const HOME = at('/');
