import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { clientOf } from '../src/client-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  // The client closed its connection while the request was waiting.
  [undefined, ''],
])('the client at %s is identified as "%s"', (ip, client) => {
  expect(clientOf({ ip } as FastifyRequest)).toBe(client);
});
