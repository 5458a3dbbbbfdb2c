import { answers, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { eventMessage } from '../src/domain/message.ts';
import { hostileTexts, news, stored } from './support/events.ts';
import { noSignal, secrets, targetOf } from './support/file.ts';
import { judgeGrafana } from './support/judges.ts';

async function grafana() {
  const server = await ScriptedServer.open(answers(200, '{"message":"Annotation added","id":7}'));
  server.script('PATCH /g/api/annotations/7', answers(200, '{"message":"Annotation patched"}'));
  const target = targetOf(`{ name: a, type: grafana, base_url: "${server.url}/g", token_env: TOKEN, tags: [deploy] }`);
  return { server, target };
}

const begun = { status: 'in-progress', happened_at: '2026-05-04T09:10:00Z' } as const;
const ended = { status: 'success', happened_at: '2026-05-04T09:12:00Z' } as const;

test('an annotation starts with the first row and ends with the last', async () => {
  const { server, target } = await grafana();
  const thread = await target.send(news(begun), noSignal);
  expect(await target.send(news({ ...begun, status: 'waiting' }), { ...noSignal, thread })).toBe('7');
  expect(await target.send(news(ended), { ...noSignal, thread })).toBe('7');
  const [post, patch] = server.received;
  expect([post?.method, post?.path]).toEqual(['POST', '/g/api/annotations']);
  expect([patch?.method, patch?.path, server.received.length]).toEqual(['PATCH', '/g/api/annotations/7', 2]);
  expect(post?.headers.authorization).toBe(`Bearer ${secrets.TOKEN}`);
  const first = judgeGrafana(String(post?.body));
  expect(first).toMatchObject({ time: Date.parse(begun.happened_at) });
  expect(first.tags).toEqual(['deploy', 'shiplog', 'payments-api', 'staging', 'in-progress']);
  expect(first.timeEnd).toBeUndefined();
  const last = judgeGrafana(String(patch?.body));
  expect(last).toMatchObject({ timeEnd: Date.parse(ended.happened_at), tags: expect.arrayContaining(['success']) });
  expect(last.time).toBeUndefined();
});

test('a deployment without an annotation gets one at its end', async () => {
  const { server, target } = await grafana();
  server.script('PATCH /g/api/annotations/9', answers(404, '{}'));
  expect(await target.send(news(ended), { ...noSignal, thread: '9' })).toBe('7');
  const end = Date.parse(ended.happened_at);
  expect(judgeGrafana(String(server.received.at(-1)?.body))).toMatchObject({ time: end, timeEnd: end });
});

test('a failed update of an annotation does not count as delivered', async () => {
  const { server, target } = await grafana();
  server.script('PATCH /g/api/annotations/7', answers(500));
  await expect(target.send(news(ended), { ...noSignal, thread: '7' })).rejects.toMatchObject({ outcome: 'error' });
});

test.each(hostileTexts)('%j in every field stays plain text in an annotation', async (text) => {
  const { server, target } = await grafana();
  const fields = { service: text, environment: text, version: text, actor: text, run_url: text };
  await target.send(eventMessage(stored(fields), text), noSignal);
  await target.send(news({ ...fields, run_url: 'https://ci.acme/?a="><script>' }), noSignal);
  for (const { body } of server.received) judgeGrafana(String(body));
});
