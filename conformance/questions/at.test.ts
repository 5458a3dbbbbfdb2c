import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { bodyOf, positionOf, unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('questions: the board at a past time', (api) => {
  const matrixAt = async (service: string, at: string) =>
    bodyOf<{ at: string; rows: { service: string; slots: Record<string, { current: { id: string } }> }[] }>(
      await api.get('/api/matrix', { service, at }),
    );

  test('§7: the matrix at a time includes rows with happened_at up to that time, even if they arrived later', async () => {
    const service = unique();
    const late = await api.append({ service, environment: 'prod', happened_at: minute(20) });
    const early = await api.append({ service, environment: 'prod', happened_at: minute(10) });
    const idAt = async (at: string) => (await matrixAt(service, at)).rows[0]?.slots.prod?.current.id;
    expect(await idAt(minute(9))).toBeUndefined();
    expect(await idAt(minute(10))).toBe(early.id);
    expect(await idAt(minute(19))).toBe(early.id);
    expect(await idAt(minute(20))).toBe(late.id);
    expect(await idAt('2999-01-01')).toBe(late.id);
  });

  test('§12.7: a future time includes all rows, even those dated after it', async () => {
    const service = unique();
    const hence = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    await api.append({ service, environment: 'prod', happened_at: minute(10) });
    const ahead = await api.append({ service, environment: 'prod', happened_at: hence(120) });
    const idAt = async (at: string) => (await matrixAt(service, at)).rows[0]?.slots.prod?.current.id;
    expect(await idAt(hence(60))).toBe(ahead.id);
    expect(await idAt(hence(-1))).not.toBe(ahead.id);
  });

  test('§12.7: services without a row up to the requested time are not listed', async () => {
    const service = unique();
    await api.append({ service, happened_at: minute(10) });
    expect((await matrixAt(service, minute(9))).rows).toEqual([]);
  });

  test('§7: the response has the time in UTC and no stream position', async () => {
    const answer = await api.get('/api/matrix', { at: '2026-05-04T11:12:02.5+02:00' });
    expect(answer.json).toMatchObject({ at: '2026-05-04T09:12:02.5Z' });
    expect(answer.headers['x-stream-position']).toBeUndefined();
    await api.append();
    expect(positionOf(await api.get('/api/matrix'))).not.toBe('');
    expect((await api.get('/api/matrix')).json).not.toHaveProperty('at');
  });

  test('§1.4: a date means its UTC midnight', async () => {
    expect((await api.get('/api/matrix', { at: '2026-05-04' })).json).toMatchObject({ at: '2026-05-04T00:00:00Z' });
  });

  test('§12.7: the ETag covers everything except generated_at, and a request with it returns 304', async () => {
    const service = unique();
    await api.append({ service, happened_at: minute(10) });
    const etag = async (at: string) => (await api.get('/api/matrix', { service, at })).headers.etag ?? '';
    expect(await etag(minute(11))).toBe(await etag(minute(11)));
    expect(await etag(minute(12))).not.toBe(await etag(minute(11)));
    const query = { service, at: minute(11) };
    const again = await api.get('/api/matrix', query, { 'If-None-Match': await etag(minute(11)) });
    expect(again.status).toBe(304);
    expect(again.headers['x-stream-position']).toBeUndefined();
    await api.append({ service, happened_at: minute(11) });
    expect((await api.get('/api/matrix', query, { 'If-None-Match': again.headers.etag ?? '' })).status).toBe(200);
  });

  test.each(['', 'now', '2026-05-04T09:12:02', '2026-13-01', '2026-02-30', '2026-05-04 09:12:02Z'])(
    '§1.1: at=%j is rejected with its pointer',
    async (at) => {
      expectFaults(await api.get('/api/matrix', { at }), ['/at']);
    },
  );
});
