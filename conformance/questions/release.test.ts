import type { ReleaseDetail } from '@shiplog/contract';
import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { bodyOf, unique } from '../support/api.ts';
import { expectRefusal } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

suite('questions: one release', (api) => {
  const pathOf = (service: string, name: string) =>
    `/api/releases/${encodeURIComponent(service)}/${encodeURIComponent(name)}`;
  const read = async (service: string, name: string) => bodyOf<ReleaseDetail>(await api.get(pathOf(service, name)));

  test('§9.3: a release has all its rows of any status, newest first', async () => {
    const service = unique();
    const middle = await api.append({ service, version: '1', status: 'in-progress', happened_at: minute(2) });
    const last = await api.append({ service, version: '1', happened_at: minute(3) });
    const first = await api.append({ service, version: '1', status: 'queued', happened_at: minute(1) });
    await api.append({ service, version: '2', happened_at: minute(2) });
    const { events, ...item } = await read(service, '1');
    expect(events).toEqual([last, middle, first]);
    expect(item).toMatchObject({ service, version: '1', first_at: minute(1), last_at: minute(3) });
  });

  test('§9.3: a release with more than 500 rows returns the newest 500', { timeout: 120_000 }, async () => {
    const service = unique();
    const events = Array.from({ length: 503 }, (_, n) => ({ service, version: '1', happened_at: minute(n) }));
    const stored = await api.appendAll(events);
    const said = await read(service, '1');
    expect(said.events.map(({ id }) => id)).toEqual(
      stored
        .slice(3)
        .map(({ id }) => id)
        .reverse(),
    );
    expect(said.first_at).toBe(minute(0));
  });

  test("§9.3, §12.9: in each environment, replaced is the success before the release's last uninterrupted run", async () => {
    const service = unique();
    const at = (environment: string, n: number) => ({ service, environment, happened_at: minute(n) });
    await api.append({ ...at('dev', 1), version: '1', sha: 'aaaa' });
    await api.append({ ...at('dev', 2), version: '2', status: 'failure' });
    await api.append({ ...at('dev', 3), version: '3' });
    await api.append({ ...at('dev', 4), version: '3' });
    await api.append({ ...at('staging', 1), sha: 'bbbb' });
    await api.append({ ...at('staging', 2), version: '3' });
    await api.append({ ...at('staging', 3), version: '4' });
    await api.append({ ...at('prod', 2), version: '3' });
    await api.append({ ...at('qa', 1), version: '3', status: 'failure' });
    const { replaced, runs_in } = await read(service, '3');
    expect(replaced).toEqual({
      dev: { version: '1', sha: 'aaaa' },
      staging: { version: null, sha: 'bbbb' },
      prod: null,
      qa: null,
    });
    expect(runs_in).toEqual(['dev', 'prod']);
  });

  test('§12.12: a success without a release interrupts a run, and then replaced is null', async () => {
    const service = unique();
    await api.append({ service, environment: 'prod', version: '1', happened_at: minute(1) });
    await api.append({ service, environment: 'prod', version: '2', happened_at: minute(2) });
    await api.append({ service, environment: 'prod', happened_at: minute(3) });
    await api.append({ service, environment: 'prod', version: '2', happened_at: minute(4) });
    const { replaced, places } = await read(service, '2');
    expect(replaced).toEqual({ prod: null });
    expect(places.prod?.since).toBe(minute(4));
  });

  test('§9.3, §12.9: a release without a version is looked up by sha, and a version takes precedence over a sha', async () => {
    const service = unique();
    await api.append({ service, sha: 'abcd', happened_at: minute(1) });
    expect(await read(service, 'abcd')).toMatchObject({ version: null, sha: 'abcd' });
    await api.append({ service, version: 'abcd', sha: 'eeee', happened_at: minute(0) });
    expect(await read(service, 'abcd')).toMatchObject({ version: 'abcd', sha: 'eeee' });
    expectRefusal(await api.get(pathOf(service, 'eeee')), 'not-found');
    expectRefusal(await api.get(pathOf(service, 'ABCD')), 'not-found');
  });

  test.each(['a/b', '..', '%2F', 'é \u{1f6a2}', 'a?b#c', 'x;y=1+2', '"\\', '%zz', 'd'.repeat(50)])(
    '§9.3: a service and a version named %j are found if percent-encoded',
    async (name) => {
      const service = `${unique()}${name}`;
      await api.append({ service, version: name });
      expect(await read(service, name)).toMatchObject({ service, version: name });
    },
  );

  test('§9.3: unknown names, NUL and invalid percent-encoding return 404', async () => {
    const service = unique();
    await api.append({ service, version: '%zz' });
    for (const name of ['2', '%00', '%25zz%00', '%ff', '%zz', '%20', 'v1']) {
      expectRefusal(await api.send({ path: `/api/releases/${service}/${name}` }), 'not-found');
    }
    expectRefusal(await api.get(pathOf(unique(), '1')), 'not-found');
  });

  test('§1.1: the ETag is weak, and a request with it returns 304 until the release changes', async () => {
    const service = unique();
    await api.append({ service, version: '1' });
    const { headers } = await api.get(pathOf(service, '1'));
    expect(headers.etag).toMatch(/^W\//);
    const again = () => api.get(pathOf(service, '1'), {}, { 'If-None-Match': headers.etag ?? '' });
    expect((await again()).status).toBe(304);
    await api.append({ service, version: '1', status: 'pending' });
    expect((await again()).status).toBe(200);
  });
});
