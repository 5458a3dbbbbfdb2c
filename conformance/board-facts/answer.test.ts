import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoardFacts } from '@shiplog/contract';
import { testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { bodyOf, positionOf } from '../support/api.ts';
import { DatedLog, dated } from '../support/arrival.ts';
import { expectFaults } from '../support/refusals.ts';
import { suite } from '../support/suite.ts';

const path = '/api/board/facts';
const place = { service: 'pay', environment: 'prod' };
const day = 24 * 60;
const nothing = { stuck: null, slow: null, behind: null, hidden: null, usual: null, findings: [] };
const defaultLadder = ['dev', 'staging', 'qa', 'preprod', 'prod'];

suite('questions board facts: the response', (api, { testOwnInstance, testSharedLog }) => {
  testOwnInstance('§3.1: an empty log has no places, no emitters and no position', async () => {
    const log = new DatedLog(api, await api.instance({ ownLog: true }));
    const answer = await log.get(path);
    expect(bodyOf(answer)).toEqual({
      generated_at: expect.stringMatching(/Z$/),
      ladder: defaultLadder,
      production: 'prod',
      stages: [...defaultLadder, null].map((name) => ({ name, environments: [], production: name === 'prod' })),
      places: [],
      emitters: [],
    });
    expect(answer.headers).not.toHaveProperty('x-stream-position');
    const again = await log.get(path, { 'if-none-match': answer.headers.etag ?? '' });
    expect(again.status).toBe(304);
    expect(again.headers).not.toHaveProperty('x-stream-position');
  });

  testOwnInstance(
    '§1.1: the ladder has the configured stages as they are written, and the last one is production',
    dated(
      api,
      async (log) => {
        await log.append({ ...place });
        expect(await log.facts('services=nobody')).toMatchObject({ ladder: ['Dev', 'live'], production: 'live' });
      },
      { analytics: { granularity: 'day', promotionOrder: [{ name: 'Dev' }, { name: 'live' }] } },
    ),
  );

  testOwnInstance(
    '§3.2: places are sorted by code point of service and environment, places without facts are absent, and no member is ever absent',
    dated(api, async (log) => {
      const services = ['B', 'a', 'ä', '\uff5e', '\u{1f600}'];
      const environments = ['Z', 'a', '\u{1f600}'];
      for (const service of services.toReversed()) {
        for (const environment of [...environments.toReversed(), 'quiet']) {
          const status = environment === 'quiet' ? 'success' : 'queued';
          const happened_at = log.ago(61);
          await log.append({ service, environment, status, deployment_id: service + environment, happened_at });
        }
      }
      expect((await log.facts()).places).toEqual(
        services.flatMap((service) =>
          environments.map((environment) => ({
            service,
            environment,
            ...nothing,
            stuck: { since: log.ago(61), status: 'queued', deployment_id: service + environment },
            findings: [{ kind: 'stuck', count: 1 }],
          })),
        ),
      );
    }),
  );

  testOwnInstance(
    '§3.1: generated_at is the time of the response',
    dated(api, async (log) => {
      await log.append({ ...place });
      for (let time = 0; time < 3; time += 1) {
        const askedMs = Date.now();
        const { generated_at } = await log.facts();
        const judgedMs = Date.parse(generated_at);
        expect(judgedMs).toBeGreaterThanOrEqual(askedMs - 1000);
        expect(judgedMs).toBeLessThanOrEqual(Date.now() + 1);
      }
    }),
  );

  testOwnInstance(
    '§1, §3.1: right after a 201, the position is that event, and the facts and findings include it',
    dated(api, async (log) => {
      for (let count = 0; count < 12; count += 1) {
        // A later request must not share the response of requests that are under way.
        const underWay = [log.get(path), log.get(path)];
        const event = await log.append({ ...place, deployment_id: 'one', status: 'failure' });
        const answer = await log.get(path);
        await Promise.all(underWay);
        expect(positionOf(answer)).toBe(event.id);
        const { places } = bodyOf<BoardFacts>(answer);
        expect(places).toEqual(
          count === 0
            ? []
            : [
                {
                  ...place,
                  ...nothing,
                  findings: [
                    { kind: 'duplicate', count },
                    ...(count >= 9 ? [{ kind: 'unversioned' as const, count: 10 }] : []),
                  ],
                },
              ],
        );
      }
    }),
  );

  testOwnInstance(
    '§3.1: the weak ETag stays the same while only generated_at and the position change, and a 304 has the new position',
    dated(api, async (log) => {
      await log.append({ ...place, status: 'queued', happened_at: log.ago(61) });
      await log.append({ ...place, environment: 'dev' });
      const { headers } = await log.get(path);
      expect(headers.etag).toMatch(/^W\/"[^"]+"$/);
      const known = { 'if-none-match': headers.etag ?? '' };
      const silent = await log.append({ ...place, environment: 'dev' });
      const unchanged = await log.get(path, known);
      expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', headers.etag]);
      expect(positionOf(unchanged)).toBe(silent.id);
      expect(unchanged.headers['cache-control']).toBe('no-cache');
      const told = await log.append({ ...place, environment: 'dev', status: 'queued', happened_at: log.ago(61) });
      const changed = await log.get(path, known);
      expect(changed.status).toBe(200);
      expect(positionOf(changed)).toBe(told.id);
    }),
  );

  testOwnInstance(
    '§3.1: the ETag covers places, emitters, ladder, production and scope',
    dated(api, async (log) => {
      const etag = async (query = '') => (await log.get(`${path}?${query}`)).headers.etag;
      for (const minutesAgo of [3, 2, 1, 0]) {
        await log.append({ ...place }, { minutesAgo: minutesAgo * 10 + day + 1, reporter: 'a/x' });
      }
      const silent = await etag();
      const scoped = await etag('services=pay');
      expect(scoped).not.toBe(silent);
      expect(await etag('services=p*')).not.toBe(scoped);
      await log.append({ ...place }, { reporter: 'a/x' });
      expect((await log.facts()).emitters).toEqual([]);
      expect(await etag()).not.toBe(silent);
    }),
  );

  testSharedLog('§3.1: the ETag is the same on every instance, except where the ladder differs', async () => {
    const { url, databaseUrl } = await api.instance({ ownLog: true });
    const other = await api.instance({ databaseUrl });
    const analytics = { granularity: 'day', promotionOrder: [{ name: 'dev' }, { name: 'prod' }] } as const;
    const shorter = await api.instance({ databaseUrl, config: { analytics } });
    const happened_at = new Date(Date.now() - 61 * 60_000).toISOString();
    await api.append({ ...place, status: 'queued', happened_at }, {}, url);
    const { headers } = await api.send({ path }, url);
    const known = { 'if-none-match': headers.etag ?? '' };
    expect((await api.send({ path, headers: known }, other.url)).status).toBe(304);
    expect((await api.send({ path, headers: known }, shorter.url)).status).toBe(200);
    const event = await api.append({ ...place, status: 'queued', happened_at }, {}, url);
    const after = await api.send({ path, headers: known }, other.url);
    expect([after.status, positionOf(after)]).toEqual([200, event.id]);
  });

  testOwnInstance(
    '§1.2: a place is listed from the moment its rule is true, without a new event',
    dated(api, async (log) => {
      const happened_at = new Date(Date.now() - 3_600_000 + 3000).toISOString();
      await log.append({ ...place, status: 'queued', happened_at });
      const early = await log.get(path);
      const known = { 'if-none-match': early.headers.etag ?? '' };
      const { generated_at, places } = bodyOf<BoardFacts>(early);
      expect(places.length).toBe(Date.parse(generated_at) - Date.parse(happened_at) > 3_600_000 ? 1 : 0);
      await expect.poll(async () => (await log.facts()).places).toMatchObject([{ stuck: { since: happened_at } }]);
      expect((await log.get(path, known)).status).toBe(places.length === 0 ? 200 : 304);
    }),
  );

  testOwnInstance(
    '§3.2: a scope restricts only the places, and the response repeats it',
    dated(api, async (log) => {
      for (const minutesAgo of [3, 2, 1, 0]) {
        const arrival = { minutesAgo: minutesAgo * 10 + day + 1, reporter: 'a/x' };
        await log.append({ service: 'old', environment: 'dev', version: '1' }, arrival);
      }
      for (const service of ['pay', 'shop']) {
        const release = (environment: string, version: string, minutes: number) =>
          log.append({ service, environment, version, happened_at: log.ago(minutes) });
        await release('dev', '1', 30);
        await release('dev', '2', 20);
        await release('prod', '1', 25);
        await release('staging', '1', 26);
      }
      const whole = await log.facts();
      expect(whole).not.toHaveProperty('scope');
      expect(whole.emitters).toHaveLength(1);
      const placesOf = ({ places }: BoardFacts) => places.map(({ service, environment }) => [service, environment]);
      expect(placesOf(whole)).toEqual([
        ['pay', 'staging'],
        ['shop', 'staging'],
      ]);
      const part = await log.facts('services=p*&services=x&environments=stag*');
      expect(part).toEqual({
        ...whole,
        generated_at: part.generated_at,
        scope: { services: ['p*', 'x'], environments: ['stag*'] },
        places: whole.places.filter(({ service }) => service === 'pay'),
      });
      expect(part.places).toMatchObject([{ behind: { of: 'dev' } }]);
      expect(await log.facts('environments=prod')).toMatchObject({
        scope: { services: [], environments: ['prod'] },
        places: [],
        emitters: whole.emitters,
      });
    }),
  );

  testOwnInstance(
    '§1, questions §11.3: teams add their services to the scope, and the response repeats them',
    async () => {
      const catalogFile = join(await testFolder(), 'catalog.yaml');
      await writeFile(catalogFile, 'services: [{ name: pay, team: payments }, { name: none, team: idle }]');
      const log = new DatedLog(api, await api.instance({ ownLog: true, config: { catalogFile } }));
      for (const service of ['pay', 'shop', 'web']) {
        await log.append({ ...place, service, status: 'queued', happened_at: log.ago(61) });
      }
      const services = ({ places }: BoardFacts) => places.map(({ service }) => service);
      const both = await log.facts('teams=payments&services=w*');
      expect(services(both)).toEqual(['pay', 'web']);
      expect(both.scope).toEqual({ services: ['w*'], environments: [], teams: ['payments'] });
      expect(services(await log.facts('teams=payments'))).toEqual(['pay']);
      expect(services(await log.facts('teams=idle'))).toEqual([]);
    },
  );

  test.each([
    ['services=', '/services'],
    ['environments=a%5C', '/environments'],
    ['teams=nobody', '/teams'],
  ])('§1, questions §2: %s is rejected with its pointer', async (query, pointer) => {
    expectFaults(await api.send({ path: `${path}?${query}` }), [pointer]);
  });
});
