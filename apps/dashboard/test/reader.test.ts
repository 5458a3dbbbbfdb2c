import { CallRefused } from '@shiplog/client';
import type { AccessSelf } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { asksForSignIn, Reader } from '../src/live/reader.ts';

const eve = { kind: 'reader', id: 'eve', name: 'eve@acme.example', expires: null } as AccessSelf;
const bob = { ...eve, id: 'bob' };
const refused = (status: number) => new CallRefused('getAccessSelf', status, new Headers(), undefined);

/** A reader whose service gives these answers, one after the other. */
function readerOf(...answers: readonly (AccessSelf | Error)[]): Reader {
  const left = [...answers];
  return new Reader({
    getAccessSelf: async () => {
      const next = left.shift();
      if (!next || next instanceof Error) throw next ?? new Error('asked too often');
      return { status: 200, headers: new Headers(), body: next };
    },
  });
}

test.each([
  ['the same reader may still read, as after the hour of a proxy', eve, false],
  ['somebody else would read', bob, true],
  ['a key would read', { ...eve, kind: 'key' } as AccessSelf, true],
  ['nobody is signed in', refused(401), true],
  ['a proxy redirects to its sign-in', refused(0), true],
  ['the service is overloaded', refused(503), false],
  ['the service does not answer', new TypeError('failed to fetch'), false],
])('after a doubt: %s', async (_, answer, hasEnded) => {
  const reader = readerOf(eve, answer);
  expect(await reader.learn()).toEqual(eve);
  expect(await reader.hasEnded()).toBe(hasEnded);
});

test('the reader is requested once, and again only after a failure', async () => {
  const reader = readerOf(refused(503), eve);
  expect(await reader.learn()).toBe(undefined);
  expect([await reader.learn(), await reader.learn(), reader.known]).toEqual([eve, eve, eve]);
});

test('a 401 and a redirect ask for a sign-in', () => {
  expect([{ status: 401 }, { status: 0, type: 'opaqueredirect' }].map(asksForSignIn)).toEqual([true, true]);
  expect([{ status: 200 }, { status: 403 }, { status: 503 }].map(asksForSignIn)).toEqual([false, false, false]);
});
