// Finding things on a page, and waiting.
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
export const wait = (ms) => new Promise((done) => setTimeout(done, ms));
