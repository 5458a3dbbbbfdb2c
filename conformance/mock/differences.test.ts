import type { DeploymentEvent, DiscoveryList, MatrixSlot } from '@shiplog/contract';
import { minute } from '@shiplog/testing';
import { array, constantFrom, integer, record, sample } from 'fast-check';
import { expect } from 'vitest';
import { reportNames } from '../support/analytics.ts';
import { bodyOf, eventsOf, freshEvent, unique } from '../support/api.ts';
import { expectRefusal } from '../support/refusals.ts';
import { allStatuses, greatestId, nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** Events of one slot as `status@minute`, in posting order. */
const priorFailures: readonly [written: string, prevFailed: boolean][] = [
  ['success@1', false],
  ['failure@1', false],
  ['in-progress@1', false],
  ['failure@1 in-progress@2', true],
  ['failure@1 failure@2', true],
  ['failure@1 success@2', false],
  ['success@1 failure@2', false],
  ['success@1 failure@2 failure@3', true],
  ['success@1 failure@2 in-progress@3', true],
  ['success@1 failure@2 in-progress@3 in-progress@4', true],
  ['failure@1 success@2 in-progress@3', false],
  ['success@1 failure@2 success@3 in-progress@4', false],
  ['failure@1 success@2 failure@3', false],
  ['in-progress@3 failure@2 success@1', true],
];

/** Newest first: by instant, then by id. */
function newestFirst(a: DeploymentEvent, b: DeploymentEvent): number {
  return Date.parse(b.happened_at) - Date.parse(a.happened_at) || (a.id < b.id ? 1 : -1);
}

/** The mock's slot as a simple reduction: any failure between `current` and the last success counts. */
function slotOf(events: readonly DeploymentEvent[]): MatrixSlot {
  const [current, ...older] = [...events].sort(newestFirst) as [DeploymentEvent, ...DeploymentEvent[]];
  if (current.status === 'success') return { current };
  const successAt = older.findIndex((event) => event.status === 'success');
  const since = successAt < 0 ? older : older.slice(0, successAt);
  const success = older[successAt];
  return {
    current,
    ...(success ? { last_successful: success } : {}),
    ...(since.some((event) => event.status === 'failure') ? { prev_failed: true as const } : {}),
  };
}

/** The behaviour of targets on points where they may differ from the core. */
suite('differences', (api, { testWhere, testWithout }) => {
  const { differences } = api.target;

  testWhere('ingestStatuses')('ingest refuses every other status and lists the accepted ones', async () => {
    for (const status of allStatuses.filter((each) => !api.statuses.includes(each))) {
      const event = freshEvent({ status });
      const { errors = [] } = expectRefusal(await api.ingest(event), 'validation');
      expect(errors).toEqual([{ pointer: '/status', message: `must be one of ${api.statuses.join(', ')}` }]);
      expect((await api.list({ service: event.service })).items).toEqual([]);
    }
  });

  testWhere('ingestStatuses')('the listing accepts all eight statuses as a filter', async () => {
    for (const status of allStatuses) expect((await api.get('/api/deployments', { status })).status).toBe(200);
  });

  testWhere('prevFailed').each(priorFailures)(
    'prev_failed is true if there is a failure between current and the last success: %s gives %j',
    async (written, prevFailed) => {
      const service = unique();
      for (const event of written.split(' ')) {
        const [status = 'success', at = '0'] = event.split('@') as [DeploymentEvent['status'], string];
        await api.append({ service, environment: 'prod', status, happened_at: minute(Number(at)) });
      }
      const { prod } = await api.slots(service);
      // prev_failed is absent rather than false (reading 4.3).
      expect(prod && 'prev_failed' in prod).toBe(prevFailed);
    },
  );

  testWhere('prevFailed')(
    'for any events in any order, each slot equals the simple reduction of its events',
    async () => {
      const event = record({ status: constantFrom(...api.statuses), at: integer({ min: 0, max: 6 }) });
      for (const history of sample(array(event, { minLength: 1, maxLength: 10 }), { seed: 20_260_504, numRuns: 60 })) {
        const service = unique();
        const events = history.map(({ status, at }) => ({
          service,
          environment: 'qa',
          status,
          happened_at: minute(at),
        }));
        const stored = await api.appendAll(events);
        expect(await api.slots(service), JSON.stringify(stored)).toEqual({ qa: slotOf(stored) });
      }
    },
  );

  testWhere('slotNext')('a slot has no next', async () => {
    const service = unique();
    for (const status of api.statuses) await api.append({ service, status });
    const members = Object.values(await api.slots(service)).flatMap((slot) => Object.keys(slot));
    expect(members).not.toContain('next');
  });

  testWhere('environmentOrder')(
    'known environments are in their fixed order, and others follow by code point',
    async () => {
      const promotionOrder = differences.environmentOrder?.value ?? [];
      const service = unique();
      const others = ['Prod', 'a', 'dev2', '\uff5e', '\u{1f600}', '0'].sort(
        (a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0),
      );
      await api.appendAll([...others, ...promotionOrder].reverse().map((environment) => ({ service, environment })));
      const { environments, rows } = await api.matrix(service);
      expect(environments).toEqual([...promotionOrder, ...others]);
      expect(Object.keys(rows[0]?.slots ?? {}).sort()).toEqual([...environments].sort());
      const { items } = bodyOf<DiscoveryList>(await api.get('/api/environments'));
      expect(items.filter((name) => environments.includes(name))).toEqual(environments);
      expect(items.slice(0, promotionOrder.length)).toEqual(promotionOrder);
    },
  );

  testWhere('listCursor')('a cursor is the base64 of the number of events before the page', async () => {
    const service = unique();
    const stored = await api.appendAll([1, 2, 3, 4].map((n) => ({ service, happened_at: minute(n) })));
    const { next_cursor } = await api.list({ service, limit: 3 });
    expect(next_cursor).toBe(btoa('3'));
    expect((await api.list({ service, cursor: btoa('3') })).items).toEqual([stored[0]]);
    expect((await api.list({ service, cursor: btoa('0') })).items).toEqual([...stored].reverse());
    for (const beyond of ['4', '12345']) {
      expect(await api.list({ service, cursor: btoa(beyond) })).toEqual({ items: [], next_cursor: null });
    }
  });

  testWhere('listCursor').each(['', '-1', '1.5', '+1', ' 1', '01', '1e2', '0x1', 'NaN', '9'.repeat(16), '1\n'])(
    'reading 10.2: the base64 of %j is not a cursor',
    async (text) => {
      const { errors = [] } = expectRefusal(await api.get('/api/deployments', { cursor: btoa(text) }), 'validation');
      expect(errors.map((fault) => fault.pointer)).toEqual(['/cursor']);
    },
  );

  testWhere('replay').each([nil, greatestId, 'a stored id'])(
    'reading 10.1: Last-Event-ID %s replays nothing, and the response says that it was ignored',
    async (sent) => {
      const service = unique();
      const [first] = await api.appendAll([{ service }, { service }]);
      const lastEventId = sent === 'a stored id' ? (first?.id ?? '') : sent;
      const streams = [
        await api.stream({ service }, { 'Last-Event-ID': lastEventId }),
        await api.stream({ service, last_event_id: lastEventId }),
      ];
      const live = await api.append({ service });
      for (const stream of streams) {
        expect(stream.headers['x-stream-resume']).toBe('ignored');
        await stream.take(1);
        expect(eventsOf(stream.frames)).toEqual([live]);
      }
    },
  );

  testWhere('streamPosition')('no response has X-Stream-Position', async () => {
    const { service } = await api.append();
    const { headers } = await api.get('/api/matrix');
    const unchanged = await api.get('/api/matrix', {}, { 'If-None-Match': headers.etag ?? '' });
    expect(unchanged.status).toBe(304);
    for (const answer of [unchanged, await api.get('/api/matrix', { service }), await api.get('/api/deployments')]) {
      expect(Object.keys(answer.headers)).not.toContain('x-stream-position');
    }
  });

  testWhere('readinessChecks')('/readyz names exactly the allowed checks', async () => {
    const checks = Object.fromEntries((differences.readinessChecks?.value ?? []).map((check) => [check, 'ok']));
    expect((await api.get('/readyz')).json).toEqual({ status: 'ready', checks });
  });

  testWithout('analytics').each([...reportNames])('reading 10.2: /api/analytics/%s returns 404', async (name) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const answer = await api.send({ method, path: `/api/analytics/${name}` });
      expect(answer.status, method).toBe(404);
      if (method !== 'HEAD') expectRefusal(answer, 'not-found');
    }
  });

  testWithout('control').each(['reset', 'stream', 'events', 'events/stream'])(
    'reading 10.2: /api/control/%s returns 404, even with a key',
    async (name) => {
      const headers = { 'X-Api-Key': api.keys.api, 'X-Control-API-Key': api.keys.control };
      for (const method of ['GET', 'POST']) {
        expectRefusal(await api.send({ method, path: `/api/control/${name}`, headers }), 'not-found');
      }
    },
  );
});
