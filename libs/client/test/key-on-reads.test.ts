import { createClient, followComponents, followControl, followDeployments } from '@shiplog/client';
import { answers, ScriptedServer, sends } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';

const keys = { api: 'the-key', control: 'the-control-key' };
const page = answers(200, '{"items":[],"next_cursor":null}');

/** The two keys of each request that a server received. */
function sentKeys(server: ScriptedServer): unknown[] {
  return server.received.map(({ headers }) => [headers['x-api-key'], headers['x-control-api-key']]);
}

test('access §5.7: reads send the API key, and operator calls only the control key', async () => {
  const server = await ScriptedServer.open(page);
  const client = createClient({ baseUrl: server.url, keys });
  await client.listDeployments();
  await client.getMatrix();
  await client.listRemovals();
  expect(sentKeys(server)).toEqual([
    ['the-key', undefined],
    ['the-key', undefined],
    [undefined, 'the-control-key'],
  ]);
});

test('a client without keys sends none', async () => {
  const server = await ScriptedServer.open(page);
  await createClient({ baseUrl: server.url }).listDeployments();
  expect(sentKeys(server)).toEqual([[undefined, undefined]]);
});

test('access §9.20: streams that are reads send the API key, and the control stream sends its own key', async () => {
  const server = await ScriptedServer.open(sends(': hello\n\n'));
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const options = { baseUrl: server.url, signal: ending.signal, apiKey: keys.api };
  const streams = [
    followDeployments(options),
    followComponents(options),
    followControl({ ...options, controlKey: keys.control, component: 'c' }),
    followDeployments({ ...options, apiKey: undefined }),
  ];
  for (const [index, stream] of streams.entries()) {
    void stream.next();
    await server.asked(index + 1);
  }
  expect(sentKeys(server)).toEqual([
    ['the-key', undefined],
    ['the-key', undefined],
    [undefined, 'the-control-key'],
    [undefined, undefined],
  ]);
});
