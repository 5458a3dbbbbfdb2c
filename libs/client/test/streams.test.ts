import { type Client, createClient, followComponents, followControl, followDeployments } from '@shiplog/client';
import { endpoints } from '@shiplog/contract';
import type { Frame } from '@shiplog/streams';
import { ScriptedServer, sends } from '@shiplog/testing';
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';

type Read = (baseUrl: string, signal: AbortSignal, onUnreadable: (frame: Frame) => void) => AsyncIterable<unknown>;

const deployment = { id: '2', service: 'payments-api', status: 'success' };
const step = { id: '2', type: 'reset-started', component: '*', correlation_id: '1' };

test.each<[string, { name: string; good: object; read: Read }]>([
  [
    'deployments',
    {
      name: 'deployment',
      good: deployment,
      read: (baseUrl, signal, onUnreadable) => followDeployments({ baseUrl, signal, onUnreadable }),
    },
  ],
  [
    'control frames',
    {
      name: 'reset-started',
      good: step,
      read: (baseUrl, signal, onUnreadable) =>
        followControl({ baseUrl, signal, onUnreadable, controlKey: 'k', component: 'c' }),
    },
  ],
  [
    'component events',
    {
      name: 'component',
      good: { id: '2', component_id: 'c', event_type: 'status' },
      read: (baseUrl, signal, onUnreadable) => followComponents({ baseUrl, signal, onUnreadable }),
    },
  ],
])('a stream of %s reports an unreadable frame, skips it and continues', async (_, { name, good, read }) => {
  const bad = ['{"id":', 'null', '[]', '"text"', '{"id":7,"type":7}'];
  const texts = [...bad, JSON.stringify(good)].map((data, index) => `id: ${index}\nevent: ${name}\ndata: ${data}\n\n`);
  const server = await ScriptedServer.open(sends('event: other\ndata: x y\n\n', ...texts));
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const unreadable: Frame[] = [];
  const taken: unknown[] = [];
  for await (const event of read(new URL(server.url).origin, ending.signal, (frame) => unreadable.push(frame))) {
    taken.push(event);
    break;
  }
  expect(taken).toEqual([good]);
  // The deployment stream ignores unknown frame names. In the control stream, the frame names are the types.
  const told = unreadable.filter(({ event }) => event !== 'other');
  expect(told).toEqual(bad.map((data, index) => ({ id: String(index), event: name, data })));
  expect(server.received).toHaveLength(1);
});

test('a client has a method for each endpoint except streams, both in its type and at run time', () => {
  const calls = Object.entries(endpoints).filter(([, endpoint]) => !('stream' in endpoint));
  expect(Object.keys(createClient({ baseUrl: 'http://127.0.0.1' }))).toEqual(calls.map(([name]) => name));
  expectTypeOf<Extract<keyof Client, `stream${string}`>>().toBeNever();
  expectTypeOf<Client>().toHaveProperty('getMatrix');
});
