import { answers, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { deploymentOf } from '../../fetcher/src/webhooks/cdevents.ts';
import { envelopesOf } from '../../fetcher/src/webhooks/cloud-events.ts';
import { linked, type Message, testMessage } from '../src/domain/message.ts';
import { hostileTexts, news } from './support/events.ts';
import { noSignal, secrets, targetOf } from './support/file.ts';

/** The result of the fetcher when it reads the target's message. */
async function readBack(message: Message) {
  const server = await ScriptedServer.open(answers(202));
  await targetOf(`{ name: a, type: cdevents, url: "${server.url}/ce", token_env: TOKEN }`).send(message, noSignal);
  const [received] = server.received;
  if (!received) throw new Error('nothing was sent');
  expect(received.headers.authorization).toBe(`Bearer ${secrets.TOKEN}`);
  const headers = { 'content-type': [received.headers['content-type'] ?? ''] };
  const [envelope] = envelopesOf({ headers, body: received.body } as never);
  if (!envelope) throw new Error('no event');
  return { sent: JSON.parse(String(received.body)), read: deploymentOf(envelope) };
}

test('the fetcher reads the same service, environment, version and instant from the event of the relay', async () => {
  const { sent, read } = await readBack(news({ happened_at: '2026-05-04T09:12:02.123456Z' }));
  expect(read).toMatchObject({
    ...{ service: 'payments-api', environment: 'staging', version: '1.4.2', status: 'success' },
    happened_at: '2026-05-04T09:12:02.123456Z',
  });
  expect(sent).toMatchObject({
    ...{
      specversion: '1.0',
      type: expect.stringMatching(/^dev\.cdevents\.service\.deployed\./),
      source: '/shiplog/relay',
    },
    datacontenttype: 'application/json',
    data: { subject: { type: 'service', content: { artifactId: 'pkg:generic/payments-api@1.4.2' } } },
  });
  expect([sent.id, sent.type]).toEqual([sent.data.context.id, sent.data.context.type]);
});

test.each(['1.0+build@7', 'feature/a?b#c', '%41', 'v 1', 'ü'])(
  'the fetcher reads the version %j unchanged from the purl',
  async (version) => {
    expect((await readBack(news({ version }))).read?.version).toBe(version);
  },
);

test('the fetcher reads an event without a version', async () => {
  expect((await readBack(news({ version: '' }))).read?.version).toBeUndefined();
});

test.each(hostileTexts.filter((text) => !text.includes('/')))(
  'the fetcher reads the service %j unchanged',
  async (text) => {
    const { read } = await readBack(news({ service: text, environment: text, version: text }));
    expect(read).toMatchObject({ service: text, environment: text, version: text });
  },
);

test('a digest and a test are not deployment events', async () => {
  const digest = { kind: 'digest', id: 'd', count: 2, firstId: 'a', lastId: 'b', statuses: { success: 2 } } as const;
  const named = { places: [], failures: [] };
  const { sent, read } = await readBack({ ...digest, ...named, at: '2026-05-04T09:12:02Z' });
  expect(read).toBeUndefined();
  expect(sent).toMatchObject({ type: 'shiplog.digest', id: 'd', data: { count: 2, statuses: { success: 2 } } });
  expect((await readBack(testMessage(new Date()))).sent).toMatchObject({ type: 'shiplog.test' });
});

test('the link to Shiplog is in the custom data of the event', async () => {
  const { sent, read } = await readBack(linked(news(), 'https://ship.acme'));
  const shiplog_url = 'https://ship.acme/?history=payments-api&in=staging';
  expect([sent.data.customData, read?.service]).toEqual([{ shiplog_url }, 'payments-api']);
});
