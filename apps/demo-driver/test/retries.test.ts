import { type Act, answers, cuts, hangs } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { drivenUpstream, items, scenarioFolder } from './support/driver.ts';
import { routes } from './support/upstream.ts';

/** Runs a scenario with this number of events against a service that acts like this, and skips the driver's waits. */
async function outcome(events: number, acts: Act[], waits: number[]) {
  const scenariosDir = await scenarioFolder({ 'short.json': { events: items(events) } });
  const { driver, upstream, clock } = await drivenUpstream({
    config: { scenariosDir },
    ...(acts.includes(hangs) ? { times: { attemptTimeoutMs: 500 } } : {}),
  });
  upstream.script(routes.post, ...acts);
  const feed = await driver.feed('posted');
  await driver.post('/demo/scenarios/short/run');
  for (const ms of waits) await clock.pass(ms);
  await upstream.until(() => upstream.reports.length === 2);
  const frames = (await feed.take(events)).map(({ event, data }) => ({ event, ...JSON.parse(data) }));
  return { driver, frames, slept: clock.slept, attempts: upstream.posts.length, status: await driver.status() };
}

test.each<[string, Act, number]>([
  ['a 500', answers(500, '{}'), 500],
  ['a 503', answers(503, '{}', { 'retry-after': '5' }), 503],
  ['a cut connection', cuts, 0],
  ['a timeout', hangs, 0],
])('after %s an event is posted three times with pauses of 100 and 200 ms, then fails', async (_, act, httpStatus) => {
  const { frames, slept, attempts, status } = await outcome(1, [act], [100, 200]);
  expect(attempts).toBe(3);
  expect(slept).toEqual([100, 200]);
  expect(status).toMatchObject({ state: 'done', events_sent: 0, errors: 1 });
  expect(frames).toEqual([
    {
      event: 'error',
      deployment_id: 'deployment-1',
      http_status: httpStatus,
      attempt: 3,
      posted_at: '2026-05-04T09:00:00.300Z',
      reporter: 'demo-driver/short',
    },
  ]);
});

test.each([400, 401, 403, 404, 409, 413, 422, 429, 302, 200, 204])('a %i is not retried', async (httpStatus) => {
  const act = answers(httpStatus, httpStatus === 204 ? '' : '{}', { location: '/elsewhere' });
  const { frames, slept, attempts, status } = await outcome(1, [act], []);
  expect([attempts, slept]).toEqual([1, []]);
  expect(status).toMatchObject({ events_sent: 0, errors: 1 });
  expect(frames).toMatchObject([{ event: 'error', http_status: httpStatus, attempt: 1 }]);
});

test.each<[string, Act[], number[]]>([
  ['the second', [answers(500), answers(201, '{}')], [100]],
  ['the third', [cuts, answers(502), answers(201, '{}')], [100, 200]],
])('an event that is stored at %s attempt counts as sent once', async (_, acts, waits) => {
  const { frames, slept, status } = await outcome(1, acts, waits);
  expect(slept).toEqual(waits);
  expect(status).toMatchObject({ events_sent: 1, errors: 0 });
  expect(frames).toEqual([
    {
      event: 'posted',
      deployment_id: 'deployment-1',
      service: 'payments-api',
      environment: 'staging',
      status: 'success',
      happened_at: '2026-05-04T09:00:00.000Z',
      posted_at: expect.stringMatching(/^2026-05-04T09:00:00\.[13]00Z$/),
      reporter: 'demo-driver/short',
    },
  ]);
});

test('a retry that is refused is the last attempt', async () => {
  const { frames, attempts } = await outcome(1, [answers(500), answers(422, '{}'), answers(201)], [100]);
  expect(attempts).toBe(2);
  expect(frames).toMatchObject([{ event: 'error', http_status: 422, attempt: 2 }]);
});

test('the attempts are counted per event, and a failure is logged with its event', async () => {
  const failing = Array.from({ length: 3 }, () => answers(500));
  const { driver, frames, status } = await outcome(2, [...failing, answers(201, '{}')], [100, 200]);
  expect(frames.map(({ event }) => event)).toEqual(['error', 'posted']);
  expect(status).toMatchObject({ state: 'done', events_sent: 1, errors: 1 });
  expect(driver.logged('gave up').map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, status: 500, deployment_id: 'deployment-1', service: 'payments-api', environment: 'staging' },
  ]);
});

test('a 201 with a truncated body counts as stored: no retry, no error', async () => {
  const cutBody: Act = (response) => {
    response.writeHead(201, { 'content-length': '100' });
    response.write('{', () => response.destroy());
  };
  const { attempts, status } = await outcome(1, [cutBody], []);
  expect(attempts).toBe(1);
  expect(status).toMatchObject({ events_sent: 1, errors: 0 });
});
