// Whether somebody has finished the tutorial on this device. Where nothing can be stored, it counts as not finished.
const KEY = 'learned';

export function hasLearned() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function rememberLearned() {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // The home page goes on offering the tutorial.
  }
}
