import { expect } from 'vitest';
import { type Api, eventsOf, freshEvent, unique } from './api.ts';
import { expectRefusal } from './refusals.ts';
import { nil } from './specification.ts';
import { suite } from './suite.ts';

/** §4: the calls that need the database. */
const reads = [
  '/api/deployments',
  `/api/deployments/${nil}`,
  '/api/matrix',
  '/api/services',
  '/api/environments',
  '/api/events/stream',
];
const shortAttemptMs = 5000;

/** An instance whose way to the database can be cut, beside the target's own, on the same log. */
async function fragileInstance(api: Api) {
  const { url, link } = await api.instanceBehindLink();
  const post = (event = freshEvent()) => api.ingest(event, {}, url);
  const ready = async () => {
    for (;;) {
      const answer = await api.send({ path: '/readyz' }, url);
      if (answer.status === 200) return;
    }
  };
  return { url, link, post, ready };
}

suite('an unreachable database', (api, { testOwnInstance }) => {
  testOwnInstance('reading 8.3: every call that needs it is 503 with Retry-After: 5, soon', async () => {
    const { url, link, post } = await fragileInstance(api);
    link.cut();
    for (const path of reads) {
      const startedAt = performance.now();
      const answer = await api.send({ path }, url);
      expectRefusal(answer, 'unavailable');
      expect(answer.headers['retry-after'], path).toBe('5');
      expect(performance.now() - startedAt, path).toBeLessThan(shortAttemptMs);
    }
    const posted = await post();
    expectRefusal(posted, 'unavailable');
    expect(posted.headers['retry-after']).toBe('5');
  });

  testOwnInstance('readings 1.4 and 8.3: refusals that need no database stay as they are', async () => {
    const { url, link } = await fragileInstance(api);
    link.cut();
    const path = '/api/deployments';
    expectRefusal(await api.send({ method: 'POST', path, body: '{' }, url), 'unauthorized');
    const headers = { 'X-Api-Key': api.keys.api };
    expectRefusal(await api.send({ method: 'POST', path, headers, body: '{' }, url), 'validation');
    expectRefusal(await api.send({ path: `${path}?limit=0` }, url), 'validation');
    expectRefusal(await api.send({ path: `${path}/no-uuid` }, url), 'not-found');
    expectRefusal(await api.send({ method: 'PUT', path }, url), 'method-not-allowed');
    expect((await api.send({ path: '/openapi.json' }, url)).status).toBe(200);
  });

  testOwnInstance('reading 8.2: /readyz says what fails, and /healthz stays 200', async () => {
    const { url, link } = await fragileInstance(api);
    link.cut();
    const answer = await api.send({ path: '/readyz' }, url);
    expect(expectRefusal(answer, 'unavailable').checks).toEqual({
      db: 'fail',
      listen: 'fail',
      deployment_events: 'fail',
      control_events: 'fail',
      component_acks: 'fail',
      component_events: 'fail',
    });
    expect((await api.send({ path: '/healthz' }, url)).json).toEqual({ status: 'ok' });
  });

  testOwnInstance('reading 8.3: the service recovers by itself once the database is back', async () => {
    const { link, post, ready } = await fragileInstance(api);
    link.cut();
    expectRefusal(await post(), 'unavailable');
    link.mend();
    await ready();
    const event = freshEvent();
    expect((await post(event)).status).toBe(201);
    expect((await api.list({ service: event.service })).items).toHaveLength(1);
  });

  testOwnInstance('readings 6.8 and 8.3: open streams outlive the outage and miss nothing', async () => {
    const { url, link, post, ready } = await fragileInstance(api);
    const service = unique();
    const stream = await api.stream({ service }, {}, url);
    const before = await api.append({ service });
    await stream.take(1);
    link.cut();
    // Written through another instance, whose way to the database is whole.
    const meanwhile = await api.appendAll([{ service }, { service }]);
    link.mend();
    await ready();
    const after = (await post(freshEvent({ service }))).json;
    await stream.take(4);
    expect(eventsOf(stream.frames)).toEqual([before, ...meanwhile, after]);
    expect(stream.ended).toBe(false);
  });
});
