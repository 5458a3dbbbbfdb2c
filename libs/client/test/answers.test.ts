import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnswerUnreadable, answeredStatus, CallRefused, createClient } from '@shiplog/client';
import { expect, onTestFinished, test } from 'vitest';

/** Calls a service that handles requests with `act`, and returns the error of the call. */
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

test('the error of a rejected call has the response status, whatever the body', async () => {
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
])('the error has the response status when the response body %s', async (_, act) => {
  const error = await failure(act);
  expect(error).toBeInstanceOf(AnswerUnreadable);
  expect(answeredStatus(error)).toBe(201);
});

test('the error has no status when there was no response', async () => {
  const error = await failure((response) => response.destroy());
  expect(error).toBeInstanceOf(Error);
  expect(answeredStatus(error)).toBe(undefined);
});
