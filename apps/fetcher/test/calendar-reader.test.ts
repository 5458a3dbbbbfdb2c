import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, cuts, hangs, ScriptedServer, testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { CalendarReader } from '../src/calendars/calendar-reader.ts';

const mebibyte = 1024 * 1024;
const route = 'GET /private-1f3c/a.ics';
const redirectTo = (location: string, status = 302) => answers(status, '', { location });

function readerOf(url: string, timeoutMs = 10_000): () => Promise<string> {
  const reader = new CalendarReader({ url: new URL(url) }, { timeoutMs });
  const { signal } = new AbortController();
  return () =>
    reader.read(signal).then(
      (bytes) => Buffer.from(bytes).toString(),
      (error: Error) => `${error.name} ${error.message}`,
    );
}

async function served(...acts: Parameters<ScriptedServer['script']>[1][]) {
  const server = await ScriptedServer.open(answers(404));
  server.script(route, ...acts);
  return { server, url: `${server.url}/private-1f3c/a.ics?key=s3cret` };
}

test('an unchanged calendar is requested with its ETag and not sent again', async () => {
  const { server, url } = await served(answers(200, 'first', { etag: '"1"' }), answers(304), answers(200, 'second'));
  const read = readerOf(url);
  expect([await read(), await read(), await read()]).toEqual(['first', 'first', 'second']);
  expect(server.of(route).map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"1"']);
  await read();
  expect(server.of(route).at(-1)?.headers['if-none-match']).toBeUndefined();
});

test.each<[string, Parameters<ScriptedServer['script']>[1], RegExp]>([
  ['404', answers(404), /^Error http:\/\/127\.0\.0\.1:\d+: 404$/],
  ['a cut connection', cuts, /^Error http:\/\/127\.0\.0\.1:\d+: no complete answer \(UND_ERR_SOCKET\)$/],
  ['more than 1 MiB', answers(200, 'x'.repeat(mebibyte + 1)), /: the body has more than 1048576 bytes$/],
  ['a redirect to itself', redirectTo('?key=s3cret'), /: redirected more than 5 times$/],
  ['a redirect to a file', redirectTo('file:///etc/passwd'), /: a redirect has no valid target$/],
])('%s is an error, which names only the origin', async (_, act, sentence) => {
  const { url } = await served(act);
  const told = await readerOf(url)();
  expect(told).toMatch(sentence);
  expect(told).not.toMatch(/s3cret|1f3c/);
});

test('exactly 1 MiB is read', async () => {
  const { url } = await served(answers(200, 'x'.repeat(mebibyte)));
  expect((await readerOf(url)()).length).toBe(mebibyte);
});

test('a response that takes too long is an error', async () => {
  const { url } = await served(hangs);
  expect(await readerOf(url, 50)()).toMatch(/: no complete answer within 50 ms$/);
});

test('redirects are followed, from a private address even to another private one', async () => {
  const { server, url } = await served(redirectTo('/moved', 301));
  const other = await ScriptedServer.open(answers(200, 'stored'));
  server.script('GET /moved', redirectTo(`${other.url}/calendar`, 303));
  expect(await readerOf(url)()).toBe('stored');
});

test('a file is read up to 1 MiB', async () => {
  const path = join(await testFolder(), 'a.ics');
  const read = (file: string) =>
    new CalendarReader({ file }).read(new AbortController().signal).then(
      (bytes) => bytes.length,
      (error: Error) => error.message.replace(path, 'PATH'),
    );
  expect(await read(path)).toBe('PATH (ENOENT)');
  writeFileSync(path, 'x'.repeat(mebibyte));
  expect(await read(path)).toBe(mebibyte);
  writeFileSync(path, 'x'.repeat(mebibyte + 1));
  expect(await read(path)).toBe('PATH has more than 1048576 bytes');
  expect(await read('/dev/null')).toBe('/dev/null is not a file');
});
