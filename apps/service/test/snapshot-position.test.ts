import { anEvent, NetworkProxy, postStored, StreamReader, testDatabase, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';

/**
 * Two instances on one log with one event. The first instance gets no response to its first statement with certain
 * words until the test releases it.
 */
async function heldInstance(words: string) {
  const database = await testDatabase();
  const neighbour = await testService({ databaseUrl: database.url });
  const { id: earlier } = await postStored(neighbour.url, anEvent({ service: 'earlier' }));
  let answered = false;
  const look = (piece: Buffer) => {
    answered ||= piece.includes(earlier);
    return piece;
  };
  const proxy = await NetworkProxy.open(database.url, () => ({ answered: look }));
  const { url } = await testService({ databaseUrl: proxy.url });
  const said = proxy.holdAfter(words);
  return {
    url,
    earlier,
    store: async () => (await postStored(neighbour.url, anEvent({ service: 'later' }))).id,
    /** Resolves when the database has responded but the instance has not received the response yet. */
    held: async () => {
      await said;
      await until(async () => (await fetch(`${neighbour.url}/healthz`)).ok && answered);
    },
    goOn: () => {
      proxy.way = 'open';
    },
  };
}

/** Requests a path, and stores an event while the database's first response about the log is in transit. */
async function askedWhileStored(path: string, words: string) {
  const instance = await heldInstance(words);
  const asked = fetch(`${instance.url}${path}`);
  await instance.held();
  const later = await instance.store();
  instance.goOn();
  const answer = await asked;
  return { url: answer.url, headers: answer.headers, text: await answer.text(), earlier: instance.earlier, later };
}

test.each([
  ['/api/matrix', 'from log_heads'],
  ['/api/deployments', 'from deployments'],
])('%s and its position are from the same moment, however long the database takes to respond', async (path, words) => {
  const { headers, text, earlier, later } = await askedWhileStored(path, words);
  expect(headers.get('x-stream-position')).toBe(text.includes(later) ? later : earlier);
});

test('an event that is stored while a matrix is read makes its ETag outdated', async () => {
  const { url, headers, text, later } = await askedWhileStored('/api/matrix', 'from log_heads');
  const again = await fetch(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  expect(again.status).toBe(text.includes(later) ? 304 : 200);
});

test('a new stream starts after all events acknowledged before its request, whatever other streams read', async () => {
  const instance = await heldInstance('removed_id');
  const url = `${instance.url}/api/events/stream`;
  const others = fetch(url, { method: 'HEAD' });
  await instance.held();
  await instance.store();
  const opening = StreamReader.open({ url });
  // When the service responds to a later request, it has received the earlier one too.
  await fetch(`${instance.url}/healthz`);
  instance.goOn();
  await others;
  const stream = await opening;
  const id = await instance.store();
  await stream.take(1);
  expect(stream.ids).toEqual([id]);
});
