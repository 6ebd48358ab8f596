// The path under which the game is served, such as /illusion, or nothing. Every page holds it (web/urls.py).
const ROOT = globalThis.document?.documentElement.dataset.root ?? '';

/**
 * The URL of one of our paths.
 * @param {string} path
 */
export const at = (path) => ROOT + path;

export const HOME = at('/');
