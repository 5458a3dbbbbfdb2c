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

test.each([
  ['/api/matrix', 'from log_heads'],
  ['/api/deployments', 'from deployments'],
])(
  '%s, its position and its ETag are from the same moment, however long the database takes to answer',
  async (path, words) => {
    const instance = await heldInstance(words);
    const asked = fetch(`${instance.url}${path}`);
    // An event is stored while the database's first answer about the log is in transit.
    await instance.held();
    const later = await instance.store();
    instance.goOn();
    const { url, headers, ...answer } = await asked.then(async (found) => ({
      url: found.url,
      headers: found.headers,
      isLater: (await found.text()).includes(later),
    }));
    expect(headers.get('x-stream-position')).toBe(answer.isLater ? later : instance.earlier);
    const etag = headers.get('etag');
    expect(etag !== null).toBe(path === '/api/matrix');
    const again = await fetch(url, { headers: { 'if-none-match': etag ?? '' } });
    expect(again.status).toBe(etag !== null && answer.isLater ? 304 : 200);
  },
);

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
