import { createHmac } from 'node:crypto';
import { answers, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { eventMessage, linked, type Message, testMessage } from '../src/domain/message.ts';
import { hostileTexts, idAt, news, stored } from './support/events.ts';
import { noSignal, secrets, targetOf } from './support/file.ts';
import { expectHarmless } from './support/judges.ts';

async function sentBy(members: string, message: Message) {
  const server = await ScriptedServer.open(answers(200));
  await targetOf(`{ name: a, type: webhook, url: "${server.url}/hook", ${members} }`).send(message, noSignal);
  const [received] = server.received;
  if (!received) throw new Error('nothing was sent');
  return { headers: received.headers, raw: String(received.body), body: JSON.parse(String(received.body)) };
}

const failure = stored({ status: 'failure' });
const digest: Message = {
  ...{ kind: 'digest', id: 'd', count: 3, firstId: idAt(1), lastId: idAt(2), at: '2026-05-04T09:13:00Z' },
  ...{ statuses: { failure: 1, success: 2 }, failures: [failure] },
  places: [{ service: 'payments-api', environment: 'staging', count: 3 }],
};

test('without a template the stored event is sent, signed as in Standard Webhooks', async () => {
  const message = news();
  const { headers, raw, body } = await sentBy('secret_env: SIGNING, headers: { X-Team: core }', message);
  expect(body).toEqual({ type: 'shiplog.deployment', timestamp: message.event.happened_at, data: message.event });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-team': 'core', 'webhook-id': message.id });
  const timestamp = String(Date.parse('2026-05-04T09:12:03Z') / 1000);
  expect(headers['webhook-timestamp']).toBe(timestamp);
  const key = Buffer.from(secrets.SIGNING.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${message.id}.${timestamp}.${raw}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signature}`);
});

test('a digest and a test have their own types', async () => {
  expect((await sentBy('headers: {}', digest)).body).toEqual({
    ...{ type: 'shiplog.digest', timestamp: '2026-05-04T09:13:00Z' },
    data: {
      ...{ count: 3, first_id: idAt(1), last_id: idAt(2), statuses: { failure: 1, success: 2 } },
      places: [{ service: 'payments-api', environment: 'staging', count: 3 }],
      failures: [failure],
    },
  });
  const { body, headers } = await sentBy('headers: {}', testMessage(new Date(7)));
  expect([body.type, JSON.stringify(body)]).toEqual(['shiplog.test', expect.stringContaining('test')]);
  expect(headers['webhook-signature']).toBeUndefined();
});

const everything = `template: { text: "{service} {version|sha7|'?'} {status} {team}", n: 1, a: [true, null, "{kind}"], o: { c: "{count}" } }`;

test('a template may be any JSON with templates as strings', async () => {
  const { body } = await sentBy(everything, { ...news(), team: 'core' });
  expect(body).toEqual({
    ...{ text: 'payments-api 1.4.2 success core', n: 1, a: [true, null, 'deployment'], o: { c: '1' } },
  });
  expect((await sentBy(everything, digest)).body).toMatchObject({
    text: ' ?  ',
    a: [true, null, 'digest'],
    o: { c: '3' },
  });
  const ofDeployments = `template: { text: "{service} {version|sha7|'?'} {status}", n: 1 }`;
  expect((await sentBy(ofDeployments, testMessage(new Date()))).body).toEqual({ text: 'test ? ', n: 1 });
  expect((await sentBy('template: "{text}"', digest)).body).toContain('3 deployments: 2 success, 1 failure');
  expect((await sentBy('template: "{text}"', news())).body).toContain('payments-api 1.4.2 in staging: success');
});

test.each(hostileTexts)('%j neither breaks the JSON of a webhook nor acts as a template', async (text) => {
  const template = 'template: { s: "{service|raw}", u: "{run_url|raw}" }';
  const { body } = await sentBy(template, news({ service: text, run_url: text }));
  expect(body).toEqual({ s: text, u: '' });
});

const fieldsOfStrangers = [
  ...(['deployment_id', 'service', 'environment', 'version', 'actor', 'ref', 'sha', 'progress_reporter'] as const),
] as const;

test.each(hostileTexts)('%j in any field of a webhook creates no mention and no link', async (text) => {
  const names = [...fieldsOfStrangers, 'parent_deployments', 'sha7', 'team', 'run_number', 'text', 'run_url'];
  const fields = Object.fromEntries(fieldsOfStrangers.map((name) => [name, text]));
  const message = news({ ...fields, run_number: text, parent_deployments: [text, text] } as object, text);
  const { body } = await sentBy(`template: [${names.map((name) => `"{${name}}"`)}]`, message);
  for (const filled of body) {
    expectHarmless(filled);
    expect(filled).not.toMatch(/<[!@#h]|\]\(/);
  }
});

test('webhook values are not shortened, and are unescaped if the template opts out', async () => {
  const parents = Array.from({ length: 50 }, (_, at) => `gha-${at}@acme`);
  const message = news({ actor: 'a@b', parent_deployments: parents });
  const { body } = await sentBy('template: ["{actor}", "{sha|actor|raw}", "{parent_deployments|raw}"]', message);
  expect(body).toEqual(['a@\u200bb', 'a@b', parents.join(', ')]);
  const [long] = (await sentBy('template: ["{parent_deployments}"]', message)).body;
  expect(long).toBe(parents.join(', ').replaceAll('@', '@\u200b'));
});

test('a link in a webhook template uses HTTP or HTTPS', async () => {
  const urlOf = async (run_url: string) => (await sentBy('template: "{run_url}"', news({ run_url }))).body;
  expect(await urlOf('https://ci.acme/7?a=(b)')).toBe('https://ci.acme/7?a=(b)');
  expect(await urlOf('javascript:alert(1)')).toBe('');
  expect(await urlOf('https://ci.acme/<!channel>|@everyone')).toBe('https://ci.acme/%3C!channel%3E%7C%40everyone');
});

test('the recovery flag and the link to Shiplog are members and variables of a webhook', async () => {
  const recovery = linked(eventMessage(stored(), '', { isRecovery: true }), 'https://ship.acme');
  const url = 'https://ship.acme/?history=payments-api&in=staging';
  expect((await sentBy('headers: {}', recovery)).body).toMatchObject({ recovery: true, shiplog_url: url });
  expect((await sentBy('template: ["{recovery}", "{shiplog_url}"]', recovery)).body).toEqual(['recovery', url]);
  expect((await sentBy('template: ["{recovery}", "{shiplog_url}"]', news())).body).toEqual(['', '']);
  expect((await sentBy('headers: {}', linked(digest, 'https://ship.acme'))).body.shiplog_url).toBe(
    'https://ship.acme/',
  );
});
