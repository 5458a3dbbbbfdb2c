import { createReporter } from '@shiplog/client';
import { anEvent, clientOf, minute, postStored, testKeys, until } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { documents, interruption, ran, ranUntil } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyService } = sharedLog();

/** Posts events one after another. */
async function postInTurn(url: string, make: (n: number) => ReturnType<typeof anEvent>, count = 3) {
  for (let n = 0; n < count; n += 1) await postStored(url, make(n));
}

describe('history', () => {
  test('history prints the events of a slot, newest first', async () => {
    const url = await emptyService();
    const [one, two, three] = [1, 2, 3].map((n) => anEvent({ happened_at: minute(n), sha: `${n}bcdef0123456789` }));
    const stored = [];
    for (const event of [two, one, three]) if (event) stored.push(await postStored(url, event));
    await postStored(url, anEvent({ environment: 'prod' }));
    const place = ['history', 'payments-api', 'staging'];
    const [b, a, c] = stored;
    expect(documents((await ran(url, [...place, '--json'])).stdout)).toEqual([c, b, a]);
    expect(documents((await ran(url, [...place, '--json', '--limit', '2'])).stdout)).toEqual([c, b]);
    expect((await ran(url, place)).stdout.split('\n')[0]).toBe(
      `${minute(3)}\tsuccess\tpayments-api\tstaging\t3bcdef012345\t\t${c?.id}`,
    );
  });

  test('history reports an empty slot and needs both names', async () => {
    const url = await emptyService();
    await postStored(url, anEvent({ service: 'a', environment: 'c' }));
    await postStored(url, anEvent({ service: 'c', environment: 'b' }));
    expect(await ran(url, ['history', 'a', 'b'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No events found.\n',
    });
    expect(await ran(url, ['history', 'a'])).toMatchObject({ code: 2 });
    expect(await ran(url, ['history', 'a', ''])).toMatchObject({ code: 2 });
    expect(await ran(url, ['history', 'a', 'b', '--limit', '0'])).toMatchObject({ code: 2 });
  });

  test('history escapes hostile texts and prints one row for each event', async () => {
    const url = await emptyService();
    const actor = '\u001b[2J\u202eevil\n2026 success pay prod\t9.9\u200b';
    await postStored(url, anEvent({ actor }));
    const escaped = '\\u{1b}[2J\\u{202e}evil\\u{a}2026 success pay prod\\u{9}9.9\\u{200b}';
    for (const isTerminal of [true, false]) {
      const env = { NO_COLOR: '1' };
      const { stdout } = await ran(url, ['history', 'payments-api', 'staging'], { isTerminal, env });
      expect(stdout).toContain(escaped);
      expect(stdout.trimEnd().split('\n')).toHaveLength(isTerminal ? 2 : 1);
      expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    const { stdout } = await ran(url, ['history', '--json', 'payments-api', 'staging'], { isTerminal: true });
    expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(documents(stdout)).toMatchObject([{ actor }]);
  });
});

describe('tail', () => {
  test('tail follows the log from its end, with each event as the API returns it', async () => {
    const url = await emptyService();
    const before = await postStored(url, anEvent({ service: 'before' }));
    const { code, stdout } = await ranUntil(url, ['tail', '--json', '--resume', before.id], 'last', () =>
      postInTurn(url, (n) => anEvent({ service: n === 2 ? 'last' : `s-${n}` })),
    );
    expect(code).toBe(130);
    const { body } = await clientOf(url).listDeployments();
    expect(documents(stdout)).toEqual(
      body.items.filter(({ id }) => id > before.id).sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  test('tail --since starts with past events, and prints each event once', async () => {
    const url = await emptyService();
    for (const n of [3, 1, 2])
      await postStored(url, anEvent({ service: 'web', happened_at: minute(n), version: `v${n}` }));
    await postStored(url, anEvent({ service: 'other', happened_at: minute(5) }));
    const options = ['--since', minute(2), '--service', 'web'];
    const { stdout } = await ranUntil(url, ['tail', ...options], 'last', () =>
      postStored(url, anEvent({ service: 'web', happened_at: minute(9), version: 'last' })),
    );
    expect(stdout.split('\n').map((line) => line.split('\t')[4])).toEqual(['v2', 'v3', 'last', undefined]);
  });

  test('tail starts at the end of the log by default', async () => {
    const url = await emptyService();
    await postStored(url, anEvent({ version: 'before' }));
    const posted: Promise<unknown>[] = [];
    const stopping = new AbortController();
    const running = ran(url, ['tail'], { signal: stopping.signal, onText: () => stopping.abort(interruption) });
    await until(async () => {
      posted.push(postStored(url, anEvent({ version: 'after' })));
      await Promise.all(posted);
      return stopping.signal.aborted;
    });
    expect((await running).stdout).not.toContain('before');
  });

  test.each([
    ['--resume', 'x'],
    ['--since', 'x'],
  ])('tail with %s %s is a usage error, and so is tail with both options', async (option, value) => {
    expect(await ran('http://127.0.0.1:1', ['tail', option, value])).toMatchObject({ code: 2 });
    const id = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';
    expect(await ran('http://127.0.0.1:1', ['tail', '--since', '1h', '--resume', id])).toMatchObject({ code: 2 });
  });

  test('tail stops if the service is unreachable at the start', async () => {
    expect(await ran('http://127.0.0.1:1', ['tail'])).toMatchObject({ code: 4 });
  });
});

test('dora prints the four metrics of a window and the note about lead time', async () => {
  const url = await emptyService();
  const { stdout, stderr } = await ran(url, ['dora']);
  expect(stdout).toBe(
    [
      'deployment_frequency\t0\tper_day\tlow\t',
      'lead_time\tnone\thours\tlow\t',
      'change_failure_rate\tnone\tratio\telite\t',
      'time_to_restore\tnone\tminutes\telite\t',
      'change_failure_rate_observed\tnone\tratio\telite\t',
      'time_to_restore_observed\tnone\tminutes\telite\t',
      'time_to_detect\tnone\tminutes\t\t\n',
    ].join('\n'),
  );
  expect(stderr).toMatch(/^7 days, from .* to .*\.\nlead_time is approximated from chains of promotions, not/);
  const { body } = await clientOf(url).getDora({ query: { window: '30d' } });
  expect(documents((await ran(url, ['dora', '--period', '30d', '--json'])).stdout)).toMatchObject([body]);
  expect(await ran(url, ['dora', '--period', '60'])).toMatchObject({ code: 2 });
  const scoped = await ran(url, ['dora', '--services', 'pay-*', '--services', 'x', '--environments', 'prod', '--json']);
  expect(documents(scoped.stdout)).toMatchObject([{ scope: { services: ['pay-*', 'x'], environments: ['prod'] } }]);
  const refused = await ran(url, ['dora', '--services', 'pay\\']);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('/services')]);
});

test('components prints the latest report of each component', async () => {
  const url = await emptyService();
  expect((await ran(url, ['components'])).stderr).toBe('No component has reported in the last two hours.\n');
  for (const [componentId, details] of [
    ['relay', ['one', 'two\nlines']],
    ['demo-driver', ['three']],
  ] as const) {
    const reporter = createReporter({ baseUrl: url, apiKey: testKeys.api, componentId });
    for (const detail of details) await reporter.status('running', { detail });
  }
  const { stdout } = await ran(url, ['components']);
  expect(stdout.split('\n').map((line) => line.replace(/\t20[^\t]*\t(now|\d+ s)/, ''))).toEqual([
    'demo-driver\trunning\tstatus\tthree',
    'relay\trunning\tstatus\ttwo\\u{a}lines',
    '',
  ]);
  const { body } = await clientOf(url).listComponentEvents();
  const [driver, second] = body.items;
  expect(documents((await ran(url, ['components', '--json'])).stdout)).toEqual([driver, second]);
});

describe('open', () => {
  test.each([
    [[], '/'],
    [['analytics'], '/?view=analytics'],
    [['quality'], '/?view=analytics&tab=quality'],
    [['reach'], '/?view=releases&tab=reach'],
    [['compare'], '/?view=releases&tab=reach'],
    [['progress'], '/?layout=progress'],
    [['pipelines'], '/?layout=progress'],
    [['changes'], '/?view=changes'],
    [['feed'], '/?view=changes'],
  ])('open %j opens the address in the browser and prints it', async (args, path) => {
    const { code, stdout } = await ran('http://127.0.0.1:1', ['open', ...args], { env: { BROWSER: 'true' } });
    expect([code, stdout]).toEqual([0, `http://127.0.0.1:1${path}\n`]);
  });

  test('open refuses an unknown view, and prints the address if no browser can be started', async () => {
    const refused = await ran('http://127.0.0.1:1', ['open', 'x']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        'Unknown view "x". Views: board, progress, changes, releases, reach, analytics, quality.',
      ),
    ]);
    const { code, stderr } = await ran('http://127.0.0.1:1', ['open'], { env: { BROWSER: '/no/browser' } });
    expect([code, stderr]).toEqual([1, "Can't start a browser (/no/browser). Open http://127.0.0.1:1/ yourself.\n"]);
  });
});
