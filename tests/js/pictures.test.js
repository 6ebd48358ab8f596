import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPalette, restyled } from '../../src/illusion/web/static/js/shared/pictures.js';

const SHEETS = { standard: '<style>.red{fill:#d00}</style>', texture: '<style>.red{fill:url($&)}</style>' };
const FRONT = `<svg>${SHEETS.standard}<path class="red"/></svg>`;

test("a picture is put into the viewer's palette", () => {
  assert.equal(restyled(FRONT, SHEETS, 'standard', null), FRONT);
  assert.equal(restyled(FRONT, SHEETS, 'texture', null), `<svg>${SHEETS.texture}<path class="red"/></svg>`);
  assert.equal(restyled(FRONT, SHEETS, 'unknown', null), FRONT);
});

test('one colour alone: a sheet after the own one makes the others pale', () => {
  for (const palette of /** @type {const} */ (['standard', 'texture'])) {
    const picture = restyled(FRONT, SHEETS, palette, 'red');
    const [, after = ''] = picture.split(SHEETS[palette]);
    assert.match(after, /^<style>:is\(\.red,\.yellow,\.green,\.blue\):not\(\.red\)\{opacity:\.\d+\}<\/style><path/);
  }
});

test("a sample's address has the viewer's palette, and none for the standard one", () => {
  assert.equal(inPalette('/sample/2-2018/5.svg', 'texture'), '/sample/2-2018/5.svg?palette=texture');
  assert.equal(
    inPalette('/sample/2-2018/5.svg?palette=texture', 'tritanopia'),
    '/sample/2-2018/5.svg?palette=tritanopia',
  );
  assert.equal(inPalette('/sample/2-2018/5.svg?palette=texture', 'standard'), '/sample/2-2018/5.svg');
  assert.equal(inPalette('/cards/abcd2345x.svg', 'texture'), '/cards/abcd2345x.svg?palette=texture');
  assert.equal(inPalette('/sample/2-2018/5.svg', undefined), '/sample/2-2018/5.svg');
});

test('other pictures stay as they are', () => {
  for (const address of ['/faces/keen/Iris.svg', '/static/1/icons/favicon.svg', 'blob:1', '']) {
    assert.equal(inPalette(address, 'texture'), address);
  }
});
