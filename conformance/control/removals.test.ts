import { randomUUID } from 'node:crypto';
import type { ComponentEventRecord, DeploymentEvent, RemovalPage } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { bodyOf, eventsOf, freshEvent, unique, withQuery } from '../support/api.ts';
import { Control } from '../support/control.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { keyHeaders } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

suite('control: removals', (api, { testSharedLog }) => {
  const key = () => ({ [keyHeaders.control]: api.keys.control });
  const remove = (id: string, body: unknown = { reason: 'false' }, headers: Record<string, string> = key()) =>
    api.send({ method: 'DELETE', path: `/api/deployments/${id}`, headers, body: JSON.stringify(body) });
  const post = async (fields: object = {}): Promise<DeploymentEvent> => {
    const headers = { [keyHeaders.api]: api.keys.api };
    const body = JSON.stringify({ ...freshEvent(), ...fields });
    return (await api.send({ method: 'POST', path: '/api/deployments', headers, body })).json as DeploymentEvent;
  };
  const list = async (query: Record<string, string | number> = {}): Promise<RemovalPage> =>
    bodyOf(await api.send({ path: withQuery('/api/control/removals', query), headers: key() }));

  test('reading 8.7: a removed event disappears from lookup, listing and board, and a second removal returns 404', async () => {
    const service = unique('service');
    const [kept, removed] = [await post({ service }), await post({ service })];
    const answer = await remove(removed.id);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
    expectRefusal(await api.send({ path: `/api/deployments/${removed.id}` }), 'not-found');
    const listing = await api.send({ path: withQuery('/api/deployments', { service }) });
    expect(bodyOf<{ items: DeploymentEvent[] }>(listing).items).toEqual([kept]);
    const board = await api.send({ path: withQuery('/api/matrix', { service }) });
    expect(board.text).toContain(kept.id);
    expect(board.text).not.toContain(removed.id);
    expectRefusal(await remove(removed.id), 'not-found');
  });

  test('reading 8.7: a removal changes the ETag of the board', async () => {
    const event = await post();
    const before = await api.send({ path: '/api/matrix' });
    await remove(event.id);
    const after = await api.send({ path: '/api/matrix', headers: { 'If-None-Match': String(before.headers.etag) } });
    expect(after.status).toBe(200);
  });

  test('reading 8.7: removals are listed page by page, newest first, with the complete event, the reason and the time', async () => {
    const events = [await post(), await post({ actor: 'grüße "x"' }), await post()];
    for (const [index, { id }] of events.entries()) await remove(id, { reason: `reason "${index}"` });
    const seen = [];
    let cursor: string | null = null;
    do {
      const page: RemovalPage = await list({ limit: 2, ...(cursor !== null && { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null && seen.length < events.length);
    expect(seen.slice(0, 3).map(({ event, reason }) => ({ event, reason }))).toEqual(
      events.map((event, index) => ({ event, reason: `reason "${index}"` })).reverse(),
    );
    const times = seen.map(({ removed_at }) => Date.parse(removed_at));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  test.each([0, 501, 'x'])('reading 8.7: a page of %j removals is refused', async (limit) => {
    expectFaults(await api.send({ path: withQuery('/api/control/removals', { limit }), headers: key() }), ['/limit']);
  });

  test('reading 8.7: the service reports a removal in a component event', async () => {
    const control = new Control(api);
    const stream = await control.componentStream();
    const { id } = await post();
    await remove(id);
    await stream.until(({ frames }) => frames.some(({ data }) => data.includes(id)));
    const report = eventsOf<ComponentEventRecord>(stream.frames).find(({ payload }) =>
      JSON.stringify(payload).includes(id),
    );
    expect(report).toMatchObject({
      component_id: 'shiplog',
      event_type: 'event-removed',
      state: 'running',
      correlation_id: null,
      payload: { id },
    });
  });

  test('reading 8.7: a resumed stream omits a removed event and still reports a replay', async () => {
    const service = unique('service');
    const [first, removed, last] = [await post({ service }), await post({ service }), await post({ service })];
    await remove(removed.id);
    for (const from of [first.id, removed.id]) {
      const stream = await api.openStream(withQuery('/api/events/stream', { service }), { 'Last-Event-ID': from });
      expect(stream.headers['x-stream-resume']).toBe('replay');
      expect((await stream.take(1))[0]?.id).toBe(last.id);
    }
  });

  test('reading 8.7: a stream resumed from a removed last event reports a replay', async () => {
    const service = unique('service');
    const removed = await post({ service });
    await remove(removed.id);
    const path = withQuery('/api/events/stream', { service });
    const stream = await api.openStream(path, { 'Last-Event-ID': removed.id });
    expect(stream.headers['x-stream-resume']).toBe('replay');
    const next = await post({ service });
    expect((await stream.take(1))[0]?.id).toBe(next.id);
  });

  test('reading 8.7: removing an event and listing removals require the control key', async () => {
    const { id } = await post();
    for (const headers of [{}, { [keyHeaders.control]: 'wrong' }, { [keyHeaders.api]: api.keys.api }]) {
      expectRefusal(await remove(id, undefined, headers), 'unauthorized');
      expectRefusal(await api.send({ path: '/api/control/removals', headers }), 'unauthorized');
    }
    expect((await api.send({ path: `/api/deployments/${id}` })).status).toBe(200);
  });

  test.each([randomUUID(), 'no-uuid', '%00'])('reading 8.7: the unknown id %j returns 404', async (id) => {
    expectRefusal(await remove(id), 'not-found');
  });

  test('reading 8.7: a reason has 1 to 500 characters', async () => {
    for (const reason of ['x', '😀'.repeat(500)])
      expect((await remove((await post()).id, { reason })).status).toBe(204);
    const { id } = await post();
    for (const [body, pointer] of [
      [{}, '/reason'],
      [{ reason: '' }, '/reason'],
      [{ reason: 'x'.repeat(501) }, '/reason'],
      [{ reason: null }, '/reason'],
      [{ reason: 7 }, '/reason'],
      [{ reason: 'a\u0000' }, '/reason'],
      [{ reason: 'x', colour: 'red' }, '/colour'],
      [[], ''],
    ] as const) {
      expectFaults(await remove(id, body), [pointer]);
    }
    expect((await api.send({ path: `/api/deployments/${id}` })).status).toBe(200);
  });

  testSharedLog('reading 8.7: an event removed on one instance disappears from the responses of others', async () => {
    const one = await Control.onOwnLog(api);
    const other = await one.beside();
    const headers = { [keyHeaders.api]: api.keys.api };
    const posted = await one.send({
      method: 'POST',
      path: '/api/deployments',
      headers,
      body: JSON.stringify(freshEvent()),
    });
    const { id } = posted.json as DeploymentEvent;
    const before = await other.send({ path: '/api/matrix' });
    const body = JSON.stringify({ reason: 'false' });
    await one.send({ method: 'DELETE', path: `/api/deployments/${id}`, headers: key(), body });
    const after = await other.send({ path: '/api/matrix', headers: { 'If-None-Match': String(before.headers.etag) } });
    expect({ status: after.status, rows: bodyOf<{ rows: unknown[] }>(after).rows }).toEqual({ status: 200, rows: [] });
    expectRefusal(await other.send({ path: `/api/deployments/${id}` }), 'not-found');
  });
});
