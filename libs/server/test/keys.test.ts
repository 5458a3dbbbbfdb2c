import { expect, test } from 'vitest';
import { Keys } from '../src/keys.ts';

const keys = new Keys({ api: ['first', 'second'], control: ['grün'] });
const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

test('each of the two values of a credential is accepted only for that credential', () => {
  expect([keys.accepts('api', 'first'), keys.accepts('api', 'second'), keys.accepts('control', 'first')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a non-ASCII key is compared by its bytes', () => {
  expect(keys.accepts('control', latin1('grün'))).toBe(true);
  expect(keys.accepts('control', 'grün')).toBe(false);
});

test.each([undefined, '', 'firs', 'first ', 'FIRST', 'x'.repeat(100_000), '\x00\xff', ['first']])(
  'the header value %j is refused without an error',
  (value) => {
    expect(keys.accepts('api', value)).toBe(false);
  },
);
