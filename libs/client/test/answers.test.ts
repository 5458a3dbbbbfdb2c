import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnswerUnreadable, answeredStatus, CallRefused, createClient } from '@shiplog/client';
import { expect, onTestFinished, test } from 'vitest';

/** The error of a call if the service does this. */
async function failure(act: (response: ServerResponse) => void): Promise<unknown> {
  const server = createServer((_request, response) => act(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return client.listServices().then(
    () => undefined,
    (error) => error,
  );
}

test('a refusal has its status, whatever its body', async () => {
  const error = await failure((response) => response.writeHead(418).end('no JSON'));
  expect(error).toBeInstanceOf(CallRefused);
  expect(answeredStatus(error)).toBe(418);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['is no JSON', (response) => response.writeHead(201).end('fine')],
  [
    'is cut',
    (response) => {
      response.writeHead(201, { 'content-length': '10' });
      response.write('{', () => response.destroy());
    },
  ],
])('an answer with a body that %s has its status', async (_, act) => {
  const error = await failure(act);
  expect(error).toBeInstanceOf(AnswerUnreadable);
  expect(answeredStatus(error)).toBe(201);
});

test('without an answer there is no status', async () => {
  const error = await failure((response) => response.destroy());
  expect(error).toBeInstanceOf(Error);
  expect(answeredStatus(error)).toBe(undefined);
});
