import assert from 'node:assert/strict';
import { test } from 'node:test';
import { _, format, percent } from '../../src/illusion/web/static/js/shared/texts.js';
import { openPage } from './tables.js';

test('values take the place of their names, wherever a language puts them', () => {
  assert.equal(format('%(a)s and %(b)s', { a: 1, b: 'two' }), '1 and two');
  assert.equal(format('%(b)s, then %(a)s, then %(b)s', { a: 1, b: 'two' }), 'two, then 1, then two');
  assert.equal(format('no values'), 'no values');
});

test('two percent signs are one, also where there are no values', () => {
  assert.equal(format('%(share)s%%', { share: 17 }), '17%');
  assert.equal(format('all of it: 100%%'), 'all of it: 100%');
  assert.equal(format('100 % of it'), '100 % of it');
});

test('what people write stays as it is', () => {
  assert.equal(format('%(name)s sits down.', { name: '$& %(n)s %% <b>' }), '$& %(n)s %% <b> sits down.');
});

test('a value that is missing is seen', () => {
  assert.equal(format('Round %(round)s', {}), 'Round %(round)s');
  assert.equal(format('Round %(round)s', { round: 0 }), 'Round 0');
});

test("texts are in the reader's language, or in English where it has none", () => {
  openPage({ 'Round %(round)s': 'Runde %(round)s', '%(share)s%%': '%(share)s %%' });
  assert.equal(_('Round %(round)s', { round: 3 }), 'Runde 3');
  assert.equal(_('Your turn'), 'Your turn');
  assert.equal(percent(17), '17 %');
  openPage();
  assert.equal(percent('17'), '17%');
});
