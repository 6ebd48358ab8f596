import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scale } from '../../src/illusion/web/static/js/shared/charts.js';
import { addressOf, momentAt } from '../../src/illusion/web/static/js/shared/server.js';

const moments = [
  { round: 1, move: 0 },
  { round: 1, move: 1 },
  { round: 2, move: 0 },
];

test('every moment is found by its address', () => {
  for (const [at, moment] of moments.entries()) assert.equal(momentAt(moments, addressOf(moment)), at);
  assert.equal(addressOf({ round: 3, move: 5 }), '#r3.5');
});

test('an address that names no moment leads to the beginning', () => {
  for (const hash of ['', '#', '#r9.9', '#r1', '#rx.y', '#r1.1x']) assert.equal(momentAt(moments, hash), 0);
});

test('the scale of a trend ends at a round figure above every interval', () => {
  const upTo = (/** @type {number} */ high) => [{ placements: 30, w: { figure: high / 2, low: high / 4, high } }];
  for (const high of [0.001, 0.04, 0.07, 0.19, 0.31, 0.79]) {
    const { step, top } = scale([...upTo(high), ...upTo(0.01)]);
    assert.ok(top >= high);
    assert.ok(top < Math.max(4 * high, 0.05));
    assert.ok(Math.abs(top - 4 * step) < 1e-9);
  }
});
