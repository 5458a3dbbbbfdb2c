import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnswerUnreadable, answeredStatus, CallRefused, createClient } from '@shiplog/client';
import { expect, onTestFinished, test } from 'vitest';

/** The error of a call to a service that handles the request like this. */
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

test('the error of a refused call has its status, whatever the body', async () => {
  const error = await failure((response) => response.writeHead(418).end('no JSON'));
  expect(error).toBeInstanceOf(CallRefused);
  expect(answeredStatus(error)).toBe(418);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['is not JSON', (response) => response.writeHead(201).end('fine')],
  [
    'is cut',
    (response) => {
      response.writeHead(201, { 'content-length': '10' });
      response.write('{', () => response.destroy());
    },
  ],
])('the error of an answer with a body that %s has the status', async (_, act) => {
  const error = await failure(act);
  expect(error).toBeInstanceOf(AnswerUnreadable);
  expect(answeredStatus(error)).toBe(201);
});

test('the error of a call without an answer has no status', async () => {
  const error = await failure((response) => response.destroy());
  expect(error).toBeInstanceOf(Error);
  expect(answeredStatus(error)).toBe(undefined);
});
