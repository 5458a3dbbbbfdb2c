import { answers, ScriptedServer } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { eventMessage, type Message, testMessage } from '../src/domain/message.ts';
import { hostileTexts, idAt, news, stored } from './support/events.ts';
import { noSignal, targetOf } from './support/file.ts';
import { judgeDiscord, judgeSlack, judgeTeams } from './support/judges.ts';

const digest: Message = {
  ...{ kind: 'digest', id: 'a-b-12', count: 12, firstId: idAt(1), lastId: idAt(2), at: '2026-05-04T09:13:00Z' },
  statuses: { failure: 4, success: 8 },
};

const kinds = [
  ['slack', judgeSlack],
  ['teams', judgeTeams],
  ['discord', judgeDiscord],
] as const;

describe.each(kinds)('%s', (type, judge) => {
  /** The texts of what a target sends, judged as its documentation says. */
  async function textsOf(message: Message): Promise<string[]> {
    const server = await ScriptedServer.open(answers(200, 'ok'));
    await targetOf(`{ name: a, type: ${type}, url: "${server.url}/hook" }`).send(message, noSignal);
    const [received] = server.received;
    expect(received).toMatchObject({ method: 'POST', path: '/hook' });
    expect(received?.headers['content-type']).toBe('application/json');
    return judge(String(received?.body));
  }

  test('names service, release, environment, status and actor', async () => {
    const [text = ''] = (await textsOf(news())).toSorted((one, other) => other.length - one.length);
    const all = (await textsOf(news())).join('\n');
    expect(text).toContain('payments-api 1.4.2 in staging: success');
    expect(all).toContain('by alice');
  });

  test('links the run', async () => {
    const server = await ScriptedServer.open(answers(200));
    const message = news({ run_url: 'https://ci.acme/runs/7?a=1&b=2' });
    await targetOf(`{ name: a, type: ${type}, url: "${server.url}" }`).send(message, noSignal);
    expect(String(server.received[0]?.body)).toContain('https://ci.acme/runs/7?a=1&');
  });

  test.each(['javascript:alert(1)', 'ftp://evil.example/x', 'https://user:password@ci.acme/'])(
    'does not link %s',
    async (run_url) => {
      expect((await textsOf(news({ run_url }))).join()).not.toContain('Run');
    },
  );

  test('of a commit without version it names the beginning, and what is stuck is told so', async () => {
    const event = stored({ version: '', sha: '4f2a9c1d80', status: 'in-progress' });
    expect((await textsOf(eventMessage(event, '', true))).join()).toContain(
      'payments-api 4f2a9c1 in staging: in-progress and does not end',
    );
  });

  test('tells a digest by its counts, and a test as a test', async () => {
    expect((await textsOf(digest)).join()).toContain('12 deployments: 8 success, 4 failure');
    expect((await textsOf(testMessage(new Date()))).join()).toContain('test');
  });

  test.each(hostileTexts)('shows %j in every field and keeps to its limits', async (text) => {
    const fields = { service: text, environment: text, version: text, actor: text, sha: text, run_url: text };
    await textsOf(eventMessage(stored(fields), text));
    await textsOf(news({ ...fields, run_url: `https://ci.acme/${encodeURI(text.replace(/\p{Cs}/gu, ''))}|>)"` }));
  });
});

test('what Slack would make bold or code is a character like it, and names stay as they are', async () => {
  const server = await ScriptedServer.open(answers(200, 'ok'));
  const names = { service: 'pay_api', version: '1.0~rc1', actor: '*a* `b` _c_ ~d~' };
  await targetOf(`{ name: a, type: slack, url: "${server.url}" }`).send(news(names), noSignal);
  const text = judgeSlack(String(server.received[0]?.body)).join('\n');
  expect(text).toContain('pay_api 1.0~rc1 in staging: success');
  expect(text).toContain('by ∗a∗ ˋbˋ ˍcˍ ∼d∼');
});
