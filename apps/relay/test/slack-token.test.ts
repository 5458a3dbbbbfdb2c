import { type Act, answers, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { news } from './support/events.ts';
import { noSignal, secrets, targetOf } from './support/file.ts';
import { judgeSlack } from './support/judges.ts';

const postPath = 'POST /api/chat.postMessage';
const updatePath = 'POST /api/chat.update';
const made = '{"ok":true,"channel":"C012","ts":"1503435956.000247"}';

async function slack(post: Act, update: Act = answers(200, '{"ok":true}')) {
  const server = await ScriptedServer.open();
  server.script(postPath, post);
  server.script(updatePath, update);
  const target = targetOf(`{ name: a, type: slack, token_env: TOKEN, channel: C012, base_url: "${server.url}/api" }`);
  return { server, target };
}

test('a deployment message is posted to Slack once and then updated', async () => {
  const { server, target } = await slack(answers(200, made));
  const thread = await target.send(news({ status: 'in-progress' }), noSignal);
  expect(thread).toBe('C012 1503435956.000247');
  expect(await target.send(news({ status: 'success' }), { ...noSignal, thread })).toBe(thread);
  const [post, update] = server.received;
  expect(post?.headers.authorization).toBe(`Bearer ${secrets.TOKEN}`);
  expect(post?.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(String(post?.body)).channel).toBe('C012');
  expect(JSON.parse(String(update?.body))).toMatchObject({ channel: 'C012', ts: '1503435956.000247' });
  expect(judgeSlack(String(update?.body)).join()).toContain('success');
  expect(server.received).toHaveLength(2);
});

test('a message that was deleted in Slack is posted again', async () => {
  const { target, server } = await slack(answers(200, made), answers(200, '{"ok":false,"error":"message_not_found"}'));
  expect(await target.send(news(), { ...noSignal, thread: 'C012 1.2' })).toBe('C012 1503435956.000247');
  expect(server.received).toHaveLength(2);
});

test.each([
  ['{"ok":false,"error":"invalid_blocks"}', 'dropped', 'Slack refused it: invalid_blocks'],
  ['{"ok":false,"error":"invalid_auth"}', 'auth_failed', 'Slack refused it: invalid_auth'],
  ['{"ok":false,"error":"ratelimited"}', 'rate_limited', 'Slack refused it: ratelimited'],
  ['{"ok":false,"error":"channel_not_found"}', 'error', 'Slack refused it: channel_not_found'],
  ['{"ok":false,"error":"No <such> thing"}', 'error', 'Slack refused it: no reason'],
  ['{"ok":false}', 'error', 'Slack refused it: no reason'],
  ['null', 'error', 'Slack refused it: no reason'],
  ['<html>', 'error', 'it answered 200 with a body that is not JSON'],
])('a response from Slack with status 200 is checked for errors: %s', async (body, outcome, message) => {
  const { target } = await slack(answers(200, body));
  await expect(target.send(news(), noSignal)).rejects.toMatchObject({ outcome, message });
});
