import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { freshEvent } from '../support/api.ts';
import { expectRefusal } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

/** Readings 1.2 and 8.4: an error says how to fix it. */
suite('error messages', (api) => {
  const post = (fields: object, headers: Readonly<Record<string, string>> = {}) =>
    api.ingest({ ...freshEvent(), ...fields }, headers);
  const messageAt = async (pointer: string, answering: ReturnType<typeof api.ingest>) => {
    const { errors = [], detail } = expectRefusal(await answering, 'validation');
    expect(detail).toContain(errors[0]?.message);
    return errors.find((fault) => fault.pointer === pointer)?.message ?? '';
  };

  test.each(['since', 'until'])('the error for an unescaped + in the offset of %s says to write %2B', async (name) => {
    const answering = api.send({ path: `/api/deployments?${name}=2026-05-04T09:12:02+02:00` });
    expect(await messageAt(`/${name}`, answering)).toContain('%2B');
    const escaped = await api.send({ path: `/api/deployments?${name}=2026-05-04T09:12:02%2B02:00&limit=1` });
    expect(escaped.status).toBe(200);
  });

  test.each([
    ['2026-02-30T00:00:00Z', '30 February'],
    ['2026-04-31T00:00:00Z', '31 April'],
    ['0000-01-01T00:00:00Z', 'year 0000'],
    ['2026-05-04T09:12:60Z', 'second 60'],
    ['2026-05-04T24:00:00Z', 'hour 24'],
    ['2026-05-04 09:12:02Z', 'RFC 3339'],
  ])('the error for happened_at %s contains %s', async (happened_at, named) => {
    expect(await messageAt('/happened_at', post({ happened_at }))).toContain(named);
  });

  test('the error for a run_url with a space says to escape it', async () => {
    expect(await messageAt('/run_url', post({ run_url: 'https://ci.example.com/my job/7' }))).toContain('%20');
  });

  test('the error for a numeric run_number says to quote it', async () => {
    expect(await messageAt('/run_number', post({ run_number: 7 }))).toContain('quotes');
  });

  test('the error for a compressed body says that Content-Encoding is not supported', async () => {
    const headers = { 'X-Api-Key': api.keys.api, 'Content-Encoding': 'gzip' };
    const body = gzipSync(JSON.stringify(freshEvent()));
    const answering = api.send({ method: 'POST', path: '/api/deployments', headers, body });
    expect(await messageAt('', answering)).toContain('Content-Encoding');
  });

  test('an uncompressed body is accepted even if it has a Content-Encoding', async () => {
    expect((await post({}, { 'Content-Encoding': 'gzip' })).status).toBe(201);
  });
});
