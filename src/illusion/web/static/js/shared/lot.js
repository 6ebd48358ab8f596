// A number drawn by lot from a text, the same on every device (FNV-1a; Fowler, Noll and Vo).

const OFFSET = 2166136261;
const PRIME = 16777619;

/** @param {string} text */
export function lot(text) {
  let hash = OFFSET;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), PRIME);
  return (hash ^ (hash >>> 15)) >>> 0;
}
