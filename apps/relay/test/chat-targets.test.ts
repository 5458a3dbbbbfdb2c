import { answers, ScriptedServer } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { eventMessage, linked, type Message, testMessage } from '../src/domain/message.ts';
import { hostileTexts, idAt, news, stored } from './support/events.ts';
import { noSignal, targetOf } from './support/file.ts';
import { judgeDiscord, judgeSlack, judgeTeams } from './support/judges.ts';

const digest: Message = {
  ...{ kind: 'digest', id: 'a-b-12', count: 12, firstId: idAt(1), lastId: idAt(2), at: '2026-05-04T09:13:00Z' },
  ...{ statuses: { failure: 4, success: 8 }, failures: [stored({ service: 'shop', status: 'failure' })] },
  places: [
    { service: 'shop', environment: 'staging', count: 7 },
    { service: 'pay', environment: 'prod', count: 1 },
  ],
};

const kinds = [
  ['slack', judgeSlack],
  ['teams', judgeTeams],
  ['discord', judgeDiscord],
] as const;

describe.each(kinds)('%s', (type, judge) => {
  /** The text of a target's message, checked against the target's documentation. */
  async function textsOf(message: Message): Promise<string[]> {
    const server = await ScriptedServer.open(answers(200, 'ok'));
    await targetOf(`{ name: a, type: ${type}, url: "${server.url}/hook" }`).send(message, noSignal);
    const [received] = server.received;
    expect(received).toMatchObject({ method: 'POST', path: '/hook' });
    expect(received?.headers['content-type']).toBe('application/json');
    return judge(String(received?.body));
  }

  test('the message names service, release, environment, status and actor', async () => {
    const [text = ''] = (await textsOf(news())).toSorted((one, other) => other.length - one.length);
    const all = (await textsOf(news())).join('\n');
    expect(text).toContain('payments-api 1.4.2 in staging: success');
    expect(all).toContain('by alice');
  });

  test('the message links the run', async () => {
    const server = await ScriptedServer.open(answers(200));
    const message = news({ run_url: 'https://ci.acme/runs/7?a=1&b=2' });
    await targetOf(`{ name: a, type: ${type}, url: "${server.url}" }`).send(message, noSignal);
    expect(String(server.received[0]?.body)).toContain('https://ci.acme/runs/7?a=1&');
  });

  test.each(['javascript:alert(1)', 'ftp://evil.example/x', 'https://user:password@ci.acme/'])(
    'the message does not link %s',
    async (run_url) => {
      expect((await textsOf(news({ run_url }))).join()).not.toContain('Run');
    },
  );

  test('the message shows the short sha if there is no version, and says that a deployment is stuck', async () => {
    const event = stored({ version: '', sha: '4f2a9c1d80', status: 'in-progress' });
    expect((await textsOf(eventMessage(event, '', { isStuck: true }))).join()).toContain(
      'payments-api 4f2a9c1d80 in staging: in-progress and does not end',
    );
  });

  test('the message shows the counts, failures and slots of a digest, and identifies a test', async () => {
    const text = (await textsOf(digest)).join('\n');
    expect(text).toContain('12 deployments: 8 success, 4 failure');
    expect(text).toContain('Failed: shop 1.4.2 in staging and 3 more');
    expect(text).toContain('shop in staging (7), pay in prod and 4 more');
    expect((await textsOf(testMessage(new Date()))).join()).toContain('test');
  });

  test('the message calls a success after a failure a recovery', async () => {
    const recovery = eventMessage(stored(), '', { isRecovery: true });
    expect((await textsOf(recovery)).join()).toContain('in staging: success, recovered from a failure');
  });

  test('the message links the run and the history of the slot, or else the board', async () => {
    const server = await ScriptedServer.open(answers(200));
    const target = targetOf(`{ name: a, type: ${type}, url: "${server.url}" }`);
    const sent = async (message: Message) => {
      await target.send(linked(message, 'https://ci.acme/ship'), noSignal);
      return String(server.received.at(-1)?.body);
    };
    const both = await sent(news({ run_url: 'https://ci.acme/7', service: 'a b*' }));
    expect(both).toContain('https://ci.acme/7');
    expect(both).toMatch(/ci\.acme\/ship\/\?history=a\+b%2A&(amp;)?in=staging/);
    for (const message of [digest, testMessage(new Date()), news()]) {
      const body = await sent(message);
      judge(body);
      expect([body.includes('https://ci.acme/ship/'), body.includes('Shiplog')]).toEqual([true, true]);
    }
  });

  test.each(hostileTexts)('the message shows %j in every field and stays within its limits', async (text) => {
    const fields = { service: text, environment: text, version: text, actor: text, sha: text, run_url: text };
    await textsOf(eventMessage(stored(fields), text));
    const places = Array.from({ length: 50 }, () => ({ service: text, environment: text, count: 1 }));
    await textsOf({ ...digest, places, failures: Array(20).fill(stored(fields)) });
    await textsOf(news({ ...fields, run_url: `https://ci.acme/${encodeURI(text.replace(/\p{Cs}/gu, ''))}|>)"` }));
  });
});

test('Slack markup is replaced by similar characters, and names are unchanged', async () => {
  const server = await ScriptedServer.open(answers(200, 'ok'));
  const names = { service: 'pay_api', version: '1.0~rc1', actor: '*a* `b` _c_ ~d~' };
  await targetOf(`{ name: a, type: slack, url: "${server.url}" }`).send(news(names), noSignal);
  const text = judgeSlack(String(server.received[0]?.body)).join('\n');
  expect(text).toContain('pay_api 1.0~rc1 in staging: success');
  expect(text).toContain('by ∗a∗ ˋbˋ ˍcˍ ∼d∼');
});
