import type { Resolve } from '@shiplog/component';
import { answers, cuts, hangs, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { NotSent, Sender, type SenderOptions } from '../src/sender/sender.ts';

const now = () => new Date('2026-05-04T09:12:00Z');

/** The result of a post to a server: delivered, or the members of the failure. */
async function posted(url: string, options: Partial<SenderOptions> = {}, signal = new AbortController().signal) {
  try {
    await new Sender({ allowed: new Set(), now, ...options }).post({ url, body: '{}', signal });
    return 'delivered';
  } catch (error) {
    expect(error).toBeInstanceOf(NotSent);
    const { outcome, message, retryAfterMs } = error as NotSent;
    return { outcome, message, retryAfterMs };
  }
}

test.each([
  [200, undefined],
  [204, undefined],
  [400, 'dropped'],
  [413, 'dropped'],
  [422, 'dropped'],
  [401, 'auth_failed'],
  [403, 'auth_failed'],
  [404, 'error'],
  [410, 'error'],
  [429, 'rate_limited'],
  [500, 'error'],
  [503, 'error'],
])('a response with status %i counts as %s', async (status, outcome) => {
  const server = await ScriptedServer.open(answers(status));
  const expected = outcome ? { outcome, message: `it answered ${status}`, retryAfterMs: undefined } : 'delivered';
  expect(await posted(server.url)).toEqual(expected);
});

test.each([
  ['7', 7000],
  ['0.4', 400],
  ['Mon, 04 May 2026 09:12:30 GMT', 30_000],
  ['Mon, 04 May 2026 09:11:30 GMT', undefined],
  ['soon', undefined],
  ['-5', undefined],
])('parses Retry-After %j as %j ms', async (value, ms) => {
  const server = await ScriptedServer.open(answers(429, '', { 'retry-after': value }));
  expect(await posted(server.url)).toMatchObject({ retryAfterMs: ms });
});

test.each([301, 302, 303, 307, 308])('a redirect with status %i is not followed', async (status) => {
  const other = await ScriptedServer.open(answers(200));
  const server = await ScriptedServer.open(answers(status, '', { location: other.url }));
  expect(await posted(server.url)).toMatchObject({ outcome: 'error', message: `it answered ${status}` });
  expect(other.received).toEqual([]);
});

test('a post is retried if the connection is cut or the server is unreachable', async () => {
  const server = await ScriptedServer.open(cuts);
  expect(await posted(server.url)).toMatchObject({
    outcome: 'error',
    message: expect.stringContaining("can't reach"),
  });
  expect(await posted('http://127.0.0.1:1/secret-path')).toEqual({
    ...{ outcome: 'error', message: "can't reach 127.0.0.1:1 (ECONNREFUSED)", retryAfterMs: undefined },
  });
});

test('an attempt ends if no data arrives for some time, before or during the response', async () => {
  const server = await ScriptedServer.open(hangs);
  const sentence = { outcome: 'error', message: expect.stringMatching(/no answer from 127.0.0.1:\d+ within 0.05 s/) };
  expect(await posted(server.url, { silentMs: 50 })).toMatchObject(sentence);
  server.script('POST /', (response) => response.writeHead(200).write('begun'));
  expect(await posted(server.url, { silentMs: 50 })).toMatchObject(sentence);
});

test('an endless response is cut off', async () => {
  const server = await ScriptedServer.open((response) => {
    const more = () => response.write('x'.repeat(16_384), (error) => !error && setImmediate(more));
    more();
  });
  expect(await posted(server.url)).toBe('delivered');
});

test('aborting the signal ends an attempt', async () => {
  const stopping = new AbortController();
  const server = await ScriptedServer.open(() => stopping.abort());
  expect(await posted(server.url, {}, stopping.signal)).toMatchObject({ message: 'stopped' });
  expect(await posted(server.url, {}, stopping.signal)).toMatchObject({ message: 'stopped' });
  expect(server.received.length).toBeLessThanOrEqual(1);
});

/** Resolves every host name to these addresses. */
const leadsTo =
  (...addresses: readonly string[]): Resolve =>
  (_, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

const innerAddresses = [
  '10.0.0.1',
  '169.254.169.254',
  '100.64.1.1',
  '0.0.0.0',
  'fd00::1',
  'fe80::1',
  '::ffff:192.168.0.1',
];
test.each(innerAddresses)('a name that resolves to %s is refused when connecting', async (address) => {
  const refusal =
    'hooks.acme.test resolves to an address inside the network; add it to allow_hosts if this is intended';
  expect(await posted('https://hooks.acme.test/', { resolve: leadsTo(address) })).toMatchObject({ message: refusal });
  const both = leadsTo('203.0.113.7', address);
  expect(await posted('https://hooks.acme.test/', { resolve: both })).toMatchObject({ message: refusal });
});

test('the connection uses the checked address, because a name is resolved only once', async () => {
  const server = await ScriptedServer.open(answers(200));
  let asked = 0;
  const resolve: Resolve = (hostname, callback) => {
    asked += 1;
    leadsTo(asked === 1 ? '127.0.0.1' : '10.0.0.1')(hostname, callback);
  };
  expect(await posted(server.url.replace('127.0.0.1', 'hooks.acme.test'), { resolve })).toBe('delivered');
  expect([asked, server.received.length]).toEqual([1, 1]);
});

test('a name in allow_hosts may resolve to any address', async () => {
  const server = await ScriptedServer.open(answers(200));
  const never: Resolve = () => expect.unreachable();
  const url = server.url.replace('127.0.0.1', 'localhost');
  expect(await posted(url, { resolve: never, allowed: new Set(['localhost']) })).toBe('delivered');
});
