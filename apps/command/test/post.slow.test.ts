import { inGroups, seededRandom } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { call, forever, hurriedClock } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { meddledLog } = sharedLog();
const count = 1000;

test('a thousand posts whose responses are lost once or twice after the commit store a thousand rows', async () => {
  const lost = new Map<number, number>();
  let posts = 0;
  const log = await meddledLog({
    answered: ({ method }) => {
      if (method !== 'POST') return 'whole';
      posts += 1;
      // Two of three responses are lost: one completely, the other after its first half.
      lost.set(posts % 3, (lost.get(posts % 3) ?? 0) + 1);
      return (['none', 'half', 'whole'] as const)[posts % 3] ?? 'whole';
    },
  });
  const codes: number[] = [];
  await inGroups([...Array(count).keys()], async (n) => {
    const event = [
      '--service',
      `s-${n % 20}`,
      '--environment',
      'prod',
      '--status',
      'success',
      '--deployment-id',
      `d-${n}`,
    ];
    codes.push((await call(['post', ...event, ...forever], { url: log.url, clock: hurriedClock })).code);
  });
  expect(codes).toEqual(Array(count).fill(0));
  const rows = await log.rows();
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ deployment_id }) => deployment_id)).size).toBe(count);
  expect((lost.get(0) ?? 0) + (lost.get(1) ?? 0)).toBeGreaterThan(count / 2);
});

test('if posts of a batch are cut before and after the commit, each event is stored once, in order per slot', async () => {
  const events = 200;
  const random = seededRandom(7);
  const log = await meddledLog({
    asks: () => random() > 0.2,
    answered: ({ method }) => (method === 'POST' && random() < 0.3 ? 'none' : 'whole'),
  });
  const instant = (n: number) => new Date(Date.UTC(2026, 4, 4) + n * 1000).toISOString();
  const lines = [...Array(events).keys()].map((n) =>
    JSON.stringify({
      service: `s-${n % 20}`,
      environment: 'prod',
      status: 'success',
      deployment_id: `d-${n % 60}`,
      happened_at: instant(n),
    }),
  );
  const { code, err } = await call(['post', '--batch', '--quiet', ...forever], {
    url: log.url,
    clock: hurriedClock,
    stdin: lines.join('\n'),
  });
  expect([code, err]).toEqual([0, '']);
  const rows = await log.rows();
  expect(rows).toHaveLength(events);
  for (let slot = 0; slot < 20; slot += 1) {
    const instants = rows.filter(({ service }) => service === `s-${slot}`).map(({ happened_at }) => happened_at);
    expect(instants).toEqual(instants.toSorted());
  }
});
