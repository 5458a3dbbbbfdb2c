import type { ControlStreamEvent, DeploymentEvent, DeploymentEventPage } from '@shiplog/contract';
import type { Answer } from '@shiplog/testing';
import { expect } from 'vitest';
import { type Api, eventsOf, positionOf, unique } from '../support/api.ts';
import { Control } from '../support/control.ts';
import { expectRefusal } from '../support/refusals.ts';
import { greatestId, nil } from '../support/specification.ts';
import { suiteOfOwnLogs } from '../support/suite.ts';

/** Opens a separate log with some events. Returns functions to write, read and follow it. */
async function filledLog(api: Api, count = 3) {
  const control = await Control.onOwnLog(api);
  const append = (fields = {}) => api.append(fields, {}, control.url);
  const stored: DeploymentEvent[] = [];
  for (let n = 0; n < count; n += 1) stored.push(await append());
  return {
    control,
    stored,
    append,
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> => control.send({ path, headers }),
    stream: (headers: Record<string, string> = {}) => api.stream({}, headers, control.url),
  };
}

suiteOfOwnLogs('control: what a reset clears', (api, { testOwnInstance }) => {
  testOwnInstance('§3, reading 7.5: after a reset every read view is empty', async () => {
    const { control, stored, get } = await filledLog(api);
    await control.reset();
    expect((await get('/api/deployments')).json).toEqual({ items: [], next_cursor: null });
    expect((await get('/api/matrix')).json).toMatchObject({ environments: [], rows: [] });
    expect((await get('/api/services')).json).toEqual({ items: [] });
    expect((await get('/api/environments')).json).toEqual({ items: [] });
    for (const { id } of stored) expectRefusal(await get(`/api/deployments/${id}`), 'not-found');
  });

  testOwnInstance('§3: after a reset no fetcher has a cursor, and each can store one again', async () => {
    const control = await Control.onOwnLog(api);
    const adapters = ['github-actions', 'a', '0'];
    for (const adapter of adapters) await control.putCursor(adapter, { cursor: 'before' });
    await control.reset();
    for (const adapter of adapters) expectRefusal(await control.getCursor(adapter), 'not-found');
    await control.putCursor('a', { cursor: 'after' });
    expect((await control.cursor('a')).cursor).toBe('after');
  });

  testOwnInstance('reading 7.6: component events and control frames survive a reset', async () => {
    const control = await Control.onOwnLog(api);
    const frames = await control.reset();
    const records = [await control.record(), await control.record({ payload: { n: 1 } }, { 'X-Correlation-Id': 'x' })];
    const onlooker = await control.componentStream();
    frames.push(...(await control.reset()));
    expect((await control.list()).items).toEqual([...records].reverse());
    const components = await control.componentStream({ 'Last-Event-ID': nil });
    expect(components.headers['x-stream-resume']).toBe('replay');
    expect(eventsOf(await components.take(2))).toEqual(records);
    const stream = await control.stream({}, { 'Last-Event-ID': nil });
    expect(stream.headers['x-stream-resume']).toBe('replay');
    expect(eventsOf<ControlStreamEvent>(await stream.take(6))).toEqual(frames);
    const later = await control.record();
    expect(eventsOf(await onlooker.take(1))).toEqual([later]);
    expect(later.id > (records[1]?.id ?? '')).toBe(true);
  });

  testOwnInstance('reading 3.4: ids after a reset are greater than all ids before it', async () => {
    const { control, stored, append } = await filledLog(api);
    for (let round = 0; round < 3; round += 1) {
      await control.reset();
      stored.push(await append());
    }
    const ids = stored.map((event) => event.id);
    expect([...ids].sort()).toEqual(ids);
  });

  testOwnInstance('§2, reading 4.1: after a reset, reads show only later events', async () => {
    const { control, stored, append, get } = await filledLog(api, 1);
    const [before] = stored;
    const place = { service: before?.service ?? '', environment: before?.environment ?? '' };
    await control.reset();
    // The event is older than the cleared events and has another status, so any remaining cleared data would be
    // noticed.
    const event = await append({ ...place, status: 'in-progress', happened_at: '2001-01-01T00:00:00Z' });
    expect((await get('/api/matrix')).json).toMatchObject({
      environments: [place.environment],
      rows: [{ service: place.service, slots: { [place.environment]: { current: event } } }],
    });
    expect(JSON.stringify((await get('/api/matrix')).json)).not.toContain('last_successful');
    expect((await get('/api/deployments')).json).toEqual({ items: [event], next_cursor: null });
    expect((await get('/api/services')).json).toEqual({ items: [place.service] });
  });

  testOwnInstance('reading 4.4: a reset changes the ETag to that of an empty log', async () => {
    const control = await Control.onOwnLog(api);
    const matrix = (etag?: string) =>
      control.send({ path: '/api/matrix', headers: etag === undefined ? {} : { 'If-None-Match': etag } });
    const empty = (await matrix()).headers.etag ?? '';
    await api.append({}, {}, control.url);
    const filled = (await matrix()).headers.etag ?? '';
    expect((await matrix(filled)).status).toBe(304);
    await control.reset();
    const cleared = await matrix(filled);
    expect(cleared.status).toBe(200);
    expect(cleared.json).toMatchObject({ rows: [] });
    expect(cleared.headers.etag).toBe(empty);
    expect((await matrix(empty)).status).toBe(304);
  });

  testOwnInstance('reading 3.9: after a reset, X-Stream-Position is absent until the next event', async () => {
    const { control, append, get } = await filledLog(api);
    for (const path of ['/api/deployments', '/api/matrix']) positionOf(await get(path));
    await control.reset();
    const etag = (await get('/api/matrix')).headers.etag ?? '';
    for (const answer of [
      await get('/api/deployments'),
      await get('/api/matrix'),
      await get('/api/matrix', { 'If-None-Match': etag }),
    ]) {
      expect(answer.headers['x-stream-position']).toBeUndefined();
    }
    const { id } = await append();
    for (const path of ['/api/deployments', '/api/matrix']) expect(positionOf(await get(path))).toBe(id);
  });

  testOwnInstance(
    'reading 6.3: a stream resumed from before the reset is marked as truncated and continues',
    async () => {
      const { control, stored, append, get, stream } = await filledLog(api);
      const position = positionOf(await get('/api/matrix'));
      await control.reset();
      const resumeOf = async (lastEventId: string) =>
        (await stream({ 'Last-Event-ID': lastEventId })).headers['x-stream-resume'];
      expect(await resumeOf(nil)).toBe('truncated');
      expect(await resumeOf(stored[0]?.id ?? '')).toBe('truncated');
      // A reader that has the last event does not miss anything.
      expect(await resumeOf(position)).toBe('replay');
      expect(await resumeOf(greatestId)).toBe('replay');
      const truncated = await stream({ 'Last-Event-ID': stored[0]?.id ?? '' });
      const event = await append();
      expect(eventsOf(await truncated.take(1))).toEqual([event]);
      expect(await resumeOf(event.id)).toBe('replay');
      expect(await resumeOf(stored[1]?.id ?? '')).toBe('truncated');
      const late = await stream({ 'Last-Event-ID': nil });
      expect(eventsOf(await late.take(1))).toEqual([event]);
    },
  );

  testOwnInstance('reading 6.2: streams that are open during a reset stay open and get later events', async () => {
    const { control, append, stream } = await filledLog(api);
    const streams = [
      await stream(),
      await stream({ 'Last-Event-ID': greatestId }),
      await stream({ 'Last-Event-ID': 'x' }),
    ];
    await control.reset();
    const events = [await append(), await append()];
    for (const each of streams) {
      expect(eventsOf(await each.take(2))).toEqual(events);
      expect(each.ended).toBe(false);
    }
  });

  testOwnInstance('reading 3.8: a cursor from before the reset is still valid', async () => {
    const { control, append, get } = await filledLog(api, 0);
    for (const second of ['01', '02', '03']) await append({ happened_at: `2026-05-04T09:00:${second}Z` });
    const page = (await get('/api/deployments?limit=2')).json as DeploymentEventPage;
    await control.reset();
    const older = await append({ happened_at: '2026-05-04T09:00:00Z' });
    await append({ happened_at: '2026-05-04T09:00:09Z' });
    const rest = await get(`/api/deployments?cursor=${page.next_cursor}`);
    expect(rest.json).toEqual({ items: [older], next_cursor: null });
  });

  testOwnInstance(
    '§3: after a reset of an empty log, a stream from the beginning is a replay of every event',
    async () => {
      const { control, append, get, stream } = await filledLog(api, 0);
      await control.reset();
      expect((await get('/api/deployments')).headers['x-stream-position']).toBeUndefined();
      const fromTheBeginning = await stream({ 'Last-Event-ID': nil });
      expect(fromTheBeginning.headers['x-stream-resume']).toBe('replay');
      const event = await append();
      expect(eventsOf(await fromTheBeginning.take(1))).toEqual([event]);
    },
  );

  testOwnInstance('§1 rule 7: a reset clears the events and cached responses of every instance', async () => {
    const { control, append } = await filledLog(api);
    const other = await control.beside();
    await api.append({}, {}, other.url);
    const etag = (await other.send({ path: '/api/matrix' })).headers.etag ?? '';
    const stream = await other.stream();
    await control.startReset();
    await stream.take(3);
    const matrix = await other.send({ path: '/api/matrix', headers: { 'If-None-Match': etag } });
    expect(matrix.json).toMatchObject({ rows: [] });
    const fromTheBeginning = await api.stream({}, { 'Last-Event-ID': nil }, other.url);
    expect(fromTheBeginning.headers['x-stream-resume']).toBe('truncated');
    const service = unique();
    const after = [await append({ service }), await api.append({ service }, {}, other.url)];
    const { items } = (await other.send({ path: '/api/deployments' })).json as DeploymentEventPage;
    expect(items.map((item) => item.id)).toEqual(after.map((event) => event.id).reverse());
  });
});
