import { expect, test } from 'vitest';
import { eventsOf, positionOf, unique } from '../support/api.ts';
import { headersOf, named, streamCalls } from '../support/calls.ts';
import { feedsOf, storeAll, takeOwn } from '../support/feed.ts';
import { greatestId, nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

suite('stream resume', (api, { testSharedLog, testUnless }) => {
  const replayTest = testUnless('replay');
  const positionTest = testUnless('streamPosition', 'replay');

  replayTest.each(feedsOf(api))(
    '§6: Last-Event-ID on the %s stream replays everything after the id and then continues live',
    async (_, feedOf) => {
      const feed = feedOf(api);
      const stored = await storeAll(feed, 3);
      const stream = await feed.open({ 'Last-Event-ID': stored[0]?.id ?? '' });
      expect(stream.headers['x-stream-resume']).toBe('replay');
      await takeOwn(feed, stream, 2);
      const live = await feed.store();
      expect(await takeOwn(feed, stream, 3)).toEqual([...stored.slice(1), live]);
    },
  );

  replayTest('§6 rule 3: a replay is ordered by id, not by happened_at', async () => {
    const service = unique();
    const years = ['2026', '1999', '2030', '2001'];
    const stored = await api.appendAll(years.map((year) => ({ service, happened_at: `${year}-01-01T00:00:00Z` })));
    const stream = await api.stream({ service }, { 'Last-Event-ID': nil });
    await stream.take(4);
    expect(eventsOf(stream.frames)).toEqual(stored);
  });

  replayTest.each(
    feedsOf(api).flatMap(([name, feedOf]) =>
      (
        [
          ['the nil uuid', nil],
          ['a version 4 uuid', '00000000-0000-4000-8000-000000000000'],
          ['a uuid without a version', '00000000-0000-0000-0000-000000000001'],
          ['a uuid from the year 1970', '00000000-0001-7000-8000-000000000000'],
          ['upper case', '0000000A-0000-0000-0000-000000000000'],
        ] as const
      ).map(([sort, id]) => [name, sort, id, feedOf] as const),
    ),
  )('reading 6.2: the %s stream replays everything after %s', async (_name, _sort, lastEventId, feedOf) => {
    const feed = feedOf(api);
    const stored = await storeAll(feed, 2);
    const stream = await feed.open({ 'Last-Event-ID': lastEventId });
    expect(stream.headers['x-stream-resume']).toBe('replay');
    expect(await takeOwn(feed, stream, 2)).toEqual(stored);
  });

  replayTest('reading 6.4: the deployment stream also accepts the id in the query', async () => {
    const service = unique();
    const stored = await api.appendAll([{ service }, { service }]);
    const stream = await api.stream({ service, last_event_id: stored[0]?.id ?? '' });
    expect(stream.headers['x-stream-resume']).toBe('replay');
    await stream.take(1);
    expect(eventsOf(stream.frames)).toEqual(stored.slice(1));
  });

  replayTest.each(feedsOf(api))('reading 6.2: the %s stream accepts an id in upper case', async (_, feedOf) => {
    const feed = feedOf(api);
    const [first, second] = await storeAll(feed, 2);
    const stream = await feed.open({ 'Last-Event-ID': first?.id.toUpperCase() ?? '' });
    expect(await takeOwn(feed, stream, 1)).toEqual([second]);
  });

  replayTest.each(feedsOf(api))('reading 6.2: the %s stream resumes from an id between two rows', async (_, feedOf) => {
    const feed = feedOf(api);
    const [first, second] = await storeAll(feed, 2);
    const stream = await feed.open({ 'Last-Event-ID': `${first?.id.slice(0, -12)}ffffffffffff` });
    expect(await takeOwn(feed, stream, 1)).toEqual([second]);
  });

  replayTest.each(feedsOf(api))(
    'reading 6.2: the %s stream sends later events even if resumed from an id greater than all others',
    async (_, feedOf) => {
      const feed = feedOf(api);
      await feed.store();
      const stream = await feed.open({ 'Last-Event-ID': greatestId });
      expect(stream.headers['x-stream-resume']).toBe('replay');
      const live = await feed.store();
      expect(await takeOwn(feed, stream, 1)).toEqual([live]);
    },
  );

  replayTest(
    'readings 6.2 and 6.4: a stream sends later events even if the id in the query is greater than all others',
    async () => {
      const service = unique();
      await api.append({ service });
      const stream = await api.stream({ service, last_event_id: greatestId });
      expect(stream.headers['x-stream-resume']).toBe('replay');
      const event = await api.append({ service });
      await stream.take(1);
      expect(eventsOf(stream.frames)).toEqual([event]);
    },
  );

  replayTest.each(feedsOf(api))(
    'reading 6.2: the %s stream sends only later events if resumed from the greatest id',
    async (_, feedOf) => {
      const feed = feedOf(api);
      const { id } = await feed.store();
      const stream = await feed.open({ 'Last-Event-ID': id });
      expect(stream.headers['x-stream-resume']).toBe('replay');
      const live = await feed.store();
      expect(await takeOwn(feed, stream, 1)).toEqual([live]);
    },
  );

  replayTest('§6 rule 4: the service filter applies to the replay and to live events', async () => {
    const [service, other] = [unique(), unique()];
    const stored = await api.appendAll([{ service }, { service: other }, { service }, { service: other }]);
    const stream = await api.stream({ service }, { 'Last-Event-ID': nil });
    await stream.take(2);
    await api.append({ service: other });
    const live = await api.append({ service });
    await stream.take(3);
    expect(eventsOf(stream.frames)).toEqual([stored[0], stored[2], live]);
  });

  replayTest('reading 6.2: a replay without a filter has the events of all services', async () => {
    const first = await api.append();
    const stored = await api.appendAll([{}, {}, {}]);
    const stream = await api.stream({}, { 'Last-Event-ID': first.id });
    const own = new Set(stored.map((event) => event.id));
    await stream.until(({ ids }) => ids.filter((id) => own.has(id)).length === own.size);
    expect(eventsOf(stream.frames).filter((event) => own.has(event.id))).toEqual(stored);
    expect(stream.ids).not.toContain(first.id);
  });

  replayTest('reading 6.4: the header takes precedence over the query', async () => {
    const service = unique();
    const [first, second] = await api.appendAll([{ service }, { service }]);
    const later = { service, last_event_id: second?.id ?? '' };
    const stream = await api.stream(later, { 'Last-Event-ID': first?.id ?? '' });
    await stream.take(1);
    expect(eventsOf(stream.frames)).toEqual([second]);
    const ignored = await api.stream({ service, last_event_id: nil }, { 'Last-Event-ID': 'no uuid' });
    expect(ignored.headers['x-stream-resume']).toBe('ignored');
    const live = await api.append({ service });
    await ignored.take(1);
    expect(eventsOf(ignored.frames)).toEqual([live]);
  });

  replayTest.each(['x', '', '%00', '%zz', '%ff'])('readings 6.3 and 6.4: last_event_id=%s is ignored', async (text) => {
    const service = unique();
    await api.append({ service });
    const stream = await api.stream(`service=${service}&last_event_id=${text}`);
    expect(stream.status).toBe(200);
    expect(stream.headers['x-stream-resume']).toBe('ignored');
    const live = await api.append({ service });
    await stream.take(1);
    expect(eventsOf(stream.frames)).toEqual([live]);
  });

  replayTest.each(named(api, streamCalls))(
    'reading 6.3: HEAD on %s returns the same X-Stream-Resume as GET',
    async (_, call) => {
      const resumeOf = async (lastEventId: string | undefined) => {
        const headers = {
          ...headersOf(call, api.keys),
          ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
        };
        return (await api.send({ method: 'HEAD', path: call.path, headers })).headers['x-stream-resume'];
      };
      expect(await resumeOf(undefined)).toBe('live');
      expect(await resumeOf(nil)).toBe('replay');
      expect(await resumeOf(greatestId)).toBe('replay');
      expect(await resumeOf('x')).toBe('ignored');
      expect(await resumeOf('')).toBe('ignored');
    },
  );

  positionTest('reading 3.9: X-Stream-Position is the greatest id in the log, regardless of filters', async () => {
    const [, last] = await api.appendAll([{}, {}]);
    for (const path of ['/api/matrix', '/api/deployments']) {
      for (const query of [{}, { service: last?.service ?? '' }, { service: unique() }]) {
        const position = positionOf(await api.get(path, query));
        if (!api.target.external) expect(position, path).toBe(last?.id);
        expect(position >= (last?.id ?? ''), path).toBe(true);
      }
    }
  });

  positionTest('reading 3.9: a 304 has the current position', async () => {
    const { service } = await api.append();
    const etag = (await api.get('/api/matrix', { service })).headers.etag ?? '';
    const { id } = await api.append();
    const unchanged = await api.get('/api/matrix', { service }, { 'If-None-Match': etag });
    expect(unchanged.status).toBe(304);
    expect(positionOf(unchanged) >= id).toBe(true);
    const again = await api.get('/api/matrix', { service }, { 'If-None-Match': etag });
    expect(again.status).toBe(304);
    expect(positionOf(again) >= id).toBe(true);
  });

  positionTest('reading 3.9: a stream from the position of a matrix has exactly the later events', async () => {
    const service = unique();
    await api.append({ service });
    const position = positionOf(await api.get('/api/matrix'));
    const missed = await api.append({ service });
    const stream = await api.stream({ service, last_event_id: position });
    const live = await api.append({ service });
    await stream.take(2);
    expect(eventsOf(stream.frames)).toEqual([missed, live]);
  });

  testSharedLog('reading 6.2: a reader can resume on another instance from its last id', async () => {
    const { url } = await api.instance();
    const service = unique();
    const [first, second] = await api.appendAll([{ service }, { service }]);
    const third = await api.append({ service }, {}, url);
    const stream = await api.stream({ service }, { 'Last-Event-ID': first?.id ?? '' });
    await stream.take(2);
    expect(eventsOf(stream.frames)).toEqual([second, third]);
  });

  test('reading 6.3: X-Stream-Resume is one of its four values', async () => {
    for (const headers of [{}, { 'Last-Event-ID': nil }, { 'Last-Event-ID': 'x' }]) {
      const stream = await api.stream({}, headers);
      expect(['live', 'replay', 'truncated', 'ignored']).toContain(stream.headers['x-stream-resume']);
    }
  });
});
