import type { StagesReport } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { slotKey } from '../src/board/board.ts';
import { usualMinutes } from '../src/live/attention-facts.ts';

type Sample = StagesReport['slowest'][number];

const sample = (service: string, p95: number, more: Partial<Sample> = {}): Sample => ({
  service,
  environment: 'prod',
  status: 'in-progress',
  count: 3,
  p50: p95 / 2,
  p95,
  ...more,
});

const place = (service: string, environment = 'prod') => ({ service, environment });

/** Returns the ten slowest of the requested slots, and records the requests. */
function answering(samples: readonly Sample[]) {
  const asked: { services: readonly string[]; environments: readonly string[] }[] = [];
  const unescaped = (globs: readonly string[]) => globs.map((glob) => glob.replace(/\\(.)/g, '$1'));
  const ask = async (places: { services: readonly string[]; environments: readonly string[] }) => {
    asked.push(places);
    const [services, environments] = [unescaped(places.services), unescaped(places.environments)];
    const slowest = samples
      .filter(({ service, environment }) => services.includes(service) && environments.includes(environment))
      .sort((one, other) => (other.p95 ?? 0) - (one.p95 ?? 0))
      .slice(0, 10);
    return { slowest };
  };
  return { asked, ask };
}

test('all slots of an environment share a request, and slots with too little data have no figure', async () => {
  const { asked, ask } = answering([
    sample('api', 9),
    sample('api', 90, { status: 'waiting' }),
    sample('api', 4, { environment: 'qa' }),
  ]);
  const known = await usualMinutes([place('api'), place('web'), place('api', 'qa')], ask);
  expect(Object.fromEntries(known)).toEqual({
    [slotKey('api', 'prod')]: { half: 4.5, most: 9 },
    [slotKey('web', 'prod')]: undefined,
    [slotKey('api', 'qa')]: { half: 2, most: 4 },
  });
  expect(asked.map(({ services }) => services)).toEqual([['api', 'web'], ['api']]);
});

test('slots that are missing from a full response are requested again', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `svc-${index}`);
  const { asked, ask } = answering(names.map((name, index) => sample(name, index + 1)));
  const known = await usualMinutes(
    [...names, 'unknown'].map((name) => place(name)),
    ask,
  );
  expect(names.map((name) => known.get(slotKey(name, 'prod'))?.most)).toEqual(names.map((_, index) => index + 1));
  expect(known.has(slotKey('unknown', 'prod'))).toBe(true);
  expect(asked.length).toBeLessThan(6);
});

test('names are escaped, URLs are short, and the number of requests in a round is limited', async () => {
  const { asked, ask } = answering([sample('a*?\\', 9), sample('abc', 5)]);
  const known = await usualMinutes([place('a*?\\')], ask);
  expect(known.get(slotKey('a*?\\', 'prod'))).toEqual({ half: 4.5, most: 9 });
  expect(asked[0]?.services).toEqual(['a\\*\\?\\\\']);
  const long = Array.from({ length: 400 }, (_, index) => place(`${index}${'\u05d0'.repeat(200)}`));
  const many = answering([]);
  await usualMinutes(long, many.ask);
  expect(many.asked).toHaveLength(12);
  for (const { services } of many.asked) expect(encodeURIComponent(services.join('')).length).toBeLessThan(4001);
});
