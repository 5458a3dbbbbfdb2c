import { streams } from '@shiplog/contract';
import { answers, ScriptedServer, sends, testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { call, interruption } from './support/call.ts';

const page = answers(200, '{"items":[],"next_cursor":null}', { 'x-stream-position': 'a' });

test.each([
  ['tail', ['tail']],
  ['wait', ['wait', '--service', 'api', '--environment', 'prod', '--version', '1']],
])('access §5.7: every request of %s has the key, the stream too', async (_, args) => {
  const server = await ScriptedServer.open(page);
  const stream = `GET ${streams.deployments.path}`;
  server.script(stream, sends(': hello\n\n'));
  const stopping = new AbortController();
  const calling = call(args, { url: server.url, signal: stopping.signal });
  await server.until(() => server.of(stream).length > 0);
  stopping.abort(interruption);
  await calling;
  expect(new Set(server.received.map(({ headers }) => headers['x-api-key']))).toEqual(new Set([testKeys.api]));
});
