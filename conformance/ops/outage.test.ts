import { NetworkProxy } from '@shiplog/testing';
import { expect } from 'vitest';
import { type Api, eventsOf, freshEvent, unique } from '../support/api.ts';
import { bodiedCalls, keyedCalls, requestOf, streamCalls } from '../support/calls.ts';
import { Control } from '../support/control.ts';
import { expectRefusal } from '../support/refusals.ts';
import { nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** §4: the calls that need the database. */
const reads = [
  '/api/deployments',
  `/api/deployments/${nil}`,
  '/api/matrix',
  '/api/services',
  '/api/environments',
  '/api/control/events',
  ...streamCalls.filter((call) => !call.key).map((call) => call.path),
];
const shortAttemptMs = 5000;

/** Starts another instance on the same log. The test can cut its database connection. */
async function fragileInstance(api: Api) {
  const { url, proxy } = await api.instanceBehindProxy();
  const post = (event = freshEvent()) => api.ingest(event, {}, url);
  const ready = async () => {
    for (;;) {
      const answer = await api.send({ path: '/readyz' }, url);
      if (answer.status === 200) return;
    }
  };
  return { url, proxy, post, ready };
}

suite('database: unreachable', (api, { testOwnInstance }) => {
  testOwnInstance(
    'reading 8.3: calls that need the database quickly return 503 and Retry-After: 5 when it is down',
    async () => {
      const { url, proxy } = await fragileInstance(api);
      proxy.way = 'refused';
      for (const path of reads) {
        const startedAt = performance.now();
        const answer = await api.send({ path }, url);
        expectRefusal(answer, 'unavailable');
        expect(answer.headers['retry-after'], path).toBe('5');
        expect(performance.now() - startedAt, path).toBeLessThan(shortAttemptMs);
      }
      for (const call of keyedCalls) {
        const startedAt = performance.now();
        const answer = await api.send(requestOf(call, api.keys), url);
        expectRefusal(answer, 'unavailable');
        expect(answer.headers['retry-after'], call.name).toBe('5');
        expect(performance.now() - startedAt, call.name).toBeLessThan(shortAttemptMs);
      }
    },
  );

  testOwnInstance('readings 1.4 and 8.3: without a database, refusals that do not need it are unchanged', async () => {
    const { url, proxy } = await fragileInstance(api);
    proxy.way = 'refused';
    const path = '/api/deployments';
    expectRefusal(await api.send({ method: 'POST', path, body: '{' }, url), 'unauthorized');
    const headers = { 'X-Api-Key': api.keys.api };
    expectRefusal(await api.send({ method: 'POST', path, headers, body: '{' }, url), 'validation');
    expectRefusal(await api.send({ path: `${path}?limit=0` }, url), 'validation');
    expectRefusal(await api.send({ path: `${path}/no-uuid` }, url), 'not-found');
    expectRefusal(await api.send({ method: 'PUT', path }, url), 'method-not-allowed');
    for (const call of keyedCalls) {
      expectRefusal(await api.send({ method: call.method, path: call.path }, url), 'unauthorized');
    }
    for (const call of bodiedCalls) {
      expectRefusal(await api.send(requestOf(call, api.keys, '{'), url), 'validation');
    }
    expect((await api.send({ path: '/openapi.json' }, url)).status).toBe(200);
  });

  testOwnInstance('reading 8.2: /readyz names the failed check, and /healthz stays 200', async () => {
    const { url, proxy } = await fragileInstance(api);
    proxy.way = 'refused';
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

  testOwnInstance('reading 8.3: the service recovers automatically after an outage', async () => {
    const { proxy, post, ready } = await fragileInstance(api);
    proxy.way = 'refused';
    expectRefusal(await post(), 'unavailable');
    proxy.way = 'open';
    await ready();
    const event = freshEvent();
    expect((await post(event)).status).toBe(201);
    expect((await api.list({ service: event.service })).items).toHaveLength(1);
  });

  testOwnInstance('reading 8.3: reports and cursors work again after an outage', async () => {
    const { url, proxy, ready } = await fragileInstance(api);
    const control = new Control(api);
    proxy.way = 'refused';
    for (const call of bodiedCalls) expectRefusal(await api.send(requestOf(call, api.keys), url), 'unavailable');
    proxy.way = 'open';
    await ready();
    for (const call of bodiedCalls) {
      expect((await api.send(requestOf(call, api.keys), url)).status).toBe(call.success);
    }
    expect((await control.cursor('caller')).cursor).toBe('x');
    expect((await control.list({ component_id: 'caller' })).items).toHaveLength(1);
  });

  testOwnInstance('readings 6.8 and 8.3: an open component stream survives the outage and misses nothing', async () => {
    const { url, proxy, ready } = await fragileInstance(api);
    const control = new Control(api);
    const stream = await api.openStream('/api/control/events/stream', {}, url);
    const records = [await control.record()];
    await stream.take(1);
    proxy.way = 'refused';
    records.push(await control.record(), await control.record());
    proxy.way = 'open';
    await ready();
    await stream.take(3);
    expect(eventsOf(stream.frames)).toEqual(records);
    expect(stream.ended).toBe(false);
  });

  testOwnInstance('readings 7.7 and 8.3: a reset continues after an outage', async () => {
    const settings = { ackTimeoutSeconds: 3600, expectedComponents: ['driver'] };
    const control = await Control.onOwnLog(api, settings);
    const proxy = await NetworkProxy.open(control.databaseUrl);
    const reset = { gateMaxTtlSeconds: 60, ...settings };
    const { url } = await api.instance({ databaseUrl: proxy.url, config: { reset } });
    const stream = await api.openStream('/api/control/stream', { 'X-Control-API-Key': api.keys.control }, url);
    const { correlation_id } = await control.startReset();
    await stream.take(1);
    proxy.way = 'refused';
    await control.ack('driver', correlation_id);
    proxy.way = 'open';
    const frames = await stream.take(3);
    expect(frames.map((frame) => frame.event)).toEqual(['reset-initiated', 'reset-started', 'reset-completed']);
    expect(stream.ended).toBe(false);
  });

  testOwnInstance('readings 6.8 and 8.3: open streams survive the outage and miss nothing', async () => {
    const { url, proxy, post, ready } = await fragileInstance(api);
    const service = unique();
    const stream = await api.stream({ service }, {}, url);
    const before = await api.append({ service });
    await stream.take(1);
    proxy.way = 'refused';
    // Posted to another instance, which still has its database connection.
    const meanwhile = await api.appendAll([{ service }, { service }]);
    proxy.way = 'open';
    await ready();
    const after = (await post(freshEvent({ service }))).json;
    await stream.take(4);
    expect(eventsOf(stream.frames)).toEqual([before, ...meanwhile, after]);
    expect(stream.ended).toBe(false);
  });
});
