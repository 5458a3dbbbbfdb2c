import { expect } from 'vitest';
import { eventsOf } from '../support/api.ts';
import { expectRefusal } from '../support/refusals.ts';
import { nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

suite('an empty log', (api, { testEmptyLog }) => {
  testEmptyLog('§2, reading 3.8: every read of an empty log returns an empty, well-formed response', async () => {
    for (const path of ['/api/deployments', '/api/control/events'].filter(api.serves)) {
      expect((await api.get(path)).json).toEqual({ items: [], next_cursor: null });
    }
    expect((await api.get('/api/services')).json).toEqual({ items: [] });
    expect((await api.get('/api/environments')).json).toEqual({ items: [] });
    expect(await api.matrix()).toMatchObject({ environments: [], rows: [] });
    expectRefusal(await api.get(`/api/deployments/${nil}`), 'not-found');
  });

  testEmptyLog('reading 3.9: reads of an empty log have no X-Stream-Position, not even with 304', async () => {
    for (const path of ['/api/deployments', '/api/matrix']) {
      expect((await api.get(path)).headers['x-stream-position']).toBeUndefined();
    }
    const etag = (await api.get('/api/matrix')).headers.etag ?? '';
    const unchanged = await api.get('/api/matrix', {}, { 'If-None-Match': etag });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers['x-stream-position']).toBeUndefined();
  });

  testEmptyLog('readings 6.2 and 6.3: streams that open on an empty log get its first event', async () => {
    const streams = [
      await api.stream(),
      await api.stream({}, { 'Last-Event-ID': nil }),
      await api.stream({}, { 'Last-Event-ID': 'ffffffff-ffff-ffff-ffff-ffffffffffff' }),
      await api.stream({}, { 'Last-Event-ID': 'x' }),
    ];
    const resumed = api.differs('replay') ? 'ignored' : 'replay';
    expect(streams.map((stream) => stream.headers['x-stream-resume'])).toEqual(['live', resumed, resumed, 'ignored']);
    const first = await api.append();
    for (const stream of streams) expect(eventsOf(await stream.take(1))).toEqual([first]);
    const position = api.differs('streamPosition') ? undefined : first.id;
    expect((await api.get('/api/matrix')).headers['x-stream-position']).toBe(position);
  });
});
