import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { nextLesson } from '../../src/illusion/web/static/js/table/bubbles.js';
import { openPage, viewOf } from './tables.js';

beforeEach(() => openPage());

test('what a row is comes first, then the arrow once there is one, and doubting when one may', () => {
  const view = viewOf({ to_play: 1, legal: { gaps: [0], doubt: true }, arrows_won: [[], [], []] });
  const won = viewOf({ ...view, arrows_won: [['red'], [], []] });
  const nothing = { told: [], turns: 0 };
  const row = { told: ['row'], turns: 1 };
  assert.equal(nextLesson(view, [1], nothing), 'row');
  assert.equal(nextLesson(view, [], nothing), null);
  assert.equal(nextLesson(view, [1], row), 'doubt');
  assert.equal(nextLesson(view, [0], row), null);
  assert.equal(nextLesson(won, [0], row), 'arrow');
  assert.equal(nextLesson(won, [1], { told: ['row', 'arrow'], turns: 2 }), 'doubt');
  assert.equal(nextLesson(won, [1], { told: ['row', 'arrow', 'doubt'], turns: 3 }), null);
  assert.equal(nextLesson({ ...won, phase: 'over' }, [1], nothing), null);
});
