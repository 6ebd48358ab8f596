// Somebody who has finished the tutorial is offered it as a plain link instead of a button.
import { $ } from '../shared/dom.js';
import { hasLearned } from '../tutorial/memory.js';

if (hasLearned()) $('.offer')?.classList.replace('button', 'quiet');
