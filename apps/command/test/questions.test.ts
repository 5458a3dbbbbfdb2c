import { createReporter } from '@shiplog/client';
import { type DeploymentEvent, type Matrix, nilId } from '@shiplog/contract';
import {
  anEvent,
  answers,
  clientOf,
  cuts,
  minute,
  postStored,
  ScriptedServer,
  sends,
  TestClock,
  testDatabase,
  testKeys,
  testService,
  until,
} from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { documents, interruption, ran } from './support/ran.ts';

async function emptyService(): Promise<string> {
  const { url: databaseUrl } = await testDatabase();
  return (await testService({ databaseUrl })).url;
}

/** Runs what does not end by itself until its output holds a text; gives what it had printed by then. */
async function ranUntil(url: string, args: readonly string[], text: string, during: () => Promise<unknown>) {
  const stopping = new AbortController();
  let stdout = '';
  const onText = (piece: string) => {
    stdout += piece;
    if (stdout.includes(text)) stopping.abort(interruption);
  };
  const running = ran(url, args, { signal: stopping.signal, onText });
  await during();
  return running;
}

/** Posts until a reader has got one of them: nobody tells when a stream is up. */
async function keepPosting(url: string, make: (n: number) => ReturnType<typeof anEvent>, count = 3) {
  for (let n = 0; n < count; n += 1) await postStored(url, make(n));
}

describe('board', () => {
  async function filled(): Promise<string> {
    const url = await emptyService();
    const post = (
      service: string,
      environment: string,
      status: DeploymentEvent['status'],
      n: number,
      version: string,
    ) => postStored(url, anEvent({ service, environment, status, happened_at: minute(n), version, actor: 'ann' }));
    await post('pay-api', 'dev', 'success', 1, '1.0');
    await post('pay-api', 'prod', 'success', 1, '1.0');
    await post('pay-api', 'prod', 'failure', 2, '1.1');
    await post('web', 'dev', 'failure', 1, '7');
    await post('web', 'dev', 'in-progress', 2, '8');
    await post('web', 'prod', 'waiting', 3, '8');
    return url;
  }

  test('prints the matrix as the API gives it', async () => {
    const url = await filled();
    const [shown] = documents((await ran(url, ['board', '--json'])).stdout) as [Matrix];
    const { body } = await clientOf(url).getMatrix();
    expect({ ...shown, generated_at: '' }).toEqual({ ...body, generated_at: '' });
  });

  test('prints a line for each slot where nobody watches, with tabs between its parts', async () => {
    const { code, stdout, stderr } = await ran(await filled(), ['board']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      `pay-api\tdev\tsuccess\t1.0\t${minute(1)}\tann\t\t`,
      `pay-api\tprod\tfailure\t1.1\t${minute(2)}\tann\t1.0\t`,
      `web\tdev\tin-progress\t8\t${minute(2)}\tann\t\t`,
      'web\tprod\t\t\t\t\t\twaiting',
    ]);
  });

  test('is a table of services by environments on a terminal, in colours unless NO_COLOR says otherwise', async () => {
    const url = await filled();
    const plain = await ran(url, ['board'], { isTerminal: true, env: { NO_COLOR: '1' } });
    expect(plain.stdout).toMatch(/^service +dev +prod *\npay-api +✔ 1\.0 \d+d +✘ 1\.1 \d+d *\n +✔ 1\.0 \d+d *\n/);
    expect(plain.stdout).toMatch(/web +▶ 8 \d+d +waiting 8 \d+d *\n +\(failed before\)/);
    expect(plain.stdout).not.toContain('\u001b');
    expect((await ran(url, ['board'], { isTerminal: true })).stdout).toContain('\u001b[31m✘ 1.1');
  });

  test('fits a terminal, and says what has no room there, unless --wide is given', async () => {
    const url = await emptyService();
    const environments = [...Array(12).keys()].map((n) => `environment-${n + 10}`);
    for (const environment of environments) {
      await postStored(url, anEvent({ service: 'service-😀'.repeat(3), environment, version: '1.2.3-rc.1+abcdef0' }));
    }
    const shown = (columns: number, ...options: string[]) => {
      const env = { NO_COLOR: '1' };
      return ran(url, ['board', ...options], { isTerminal: true, columns, env });
    };
    const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line.trimEnd()].length));
    const narrow = await shown(80);
    expect(widest(narrow.stdout)).toBeLessThanOrEqual(80);
    expect(narrow.stdout).toContain('…');
    expect(narrow.stderr).toBe(`No room for ${environments.slice(7).join(', ')}; --wide shows all.\n`);
    const wide = await shown(80, '--wide');
    expect([wide.stderr, wide.stdout.match(/1\.2\.3-rc\.1\+abcdef0 \d+d/g)?.length]).toEqual(['', 12]);
    const { stdout, stderr } = await shown(widest(wide.stdout) + 3);
    expect([stdout, stderr]).toEqual([wide.stdout, '']);
  });

  test.each<[string[], string[]]>([
    [
      ['--services', 'pay-*'],
      ['pay-api dev', 'pay-api prod'],
    ],
    [
      ['--environments', 'prod'],
      ['pay-api prod', 'web prod'],
    ],
    [['--failed'], ['pay-api prod', 'web dev']],
    [['--failed', '--environments', 'd?v'], ['web dev']],
  ])('%j shows %j', async (options, slots) => {
    const url = await filled();
    const lines = (await ran(url, ['board', ...options])).stdout.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual(slots);
    const [matrix] = documents((await ran(url, ['board', '--json', ...options])).stdout) as [Matrix];
    const inSlots = matrix.rows.flatMap(({ slots }) => Object.keys(slots));
    expect(matrix.environments).toEqual([...new Set(inSlots)].sort());
  });

  test('with --at is as it was then, as the API gives it', async () => {
    const url = await filled();
    const { stdout } = await ran(url, ['board', '--json', '--at', minute(1)]);
    const { body } = await clientOf(url).getMatrix({ query: { at: minute(1) } });
    const [shown] = documents(stdout) as [Matrix];
    expect({ ...shown, generated_at: '' }).toEqual({ ...body, generated_at: '' });
    const lines = (await ran(url, ['board', '--at', minute(1)])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t').slice(0, 3).join(' '))).toEqual([
      'pay-api dev success',
      'pay-api prod success',
      'web dev failure',
    ]);
    expect(await ran(url, ['board', '--at', 'x'])).toMatchObject({ code: 2 });
    expect(await ran(url, ['board', '--at', '1h', '--watch'])).toMatchObject({ code: 2 });
  });

  test('with --watch prints what changed, from the snapshot on without a gap', async () => {
    const url = await filled();
    const { code, stdout } = await ranUntil(url, ['board', '--watch'], '\t2.0\t', async () => {
      await postStored(url, anEvent({ service: 'web', environment: 'prod', happened_at: minute(9), version: '2.0' }));
    });
    expect(code).toBe(130);
    expect(stdout.split('\n').filter((line) => line.startsWith('web\tprod'))).toContain(
      `web\tprod\tsuccess\t2.0\t${minute(9)}\t\t\t`,
    );
    expect(stdout.match(/^pay-api\tdev/gm)).toHaveLength(1);
  });
});

test('board --watch goes on after a read that failed', async () => {
  const server = await ScriptedServer.open();
  const slot = (version: string) => ({ current: { ...anEvent({ version }), id: nilId } });
  const matrix = (version: string) => ({
    generated_at: minute(0),
    environments: ['e'],
    rows: [{ service: 's', slots: { e: slot(version) } }],
  });
  const shows = (version: string) => answers(200, JSON.stringify(matrix(version)));
  server.script('GET /api/matrix', shows('1.0'), answers(503), cuts, shows('2.0'));
  server.script('GET /api/events/stream', sends(': ping\n\n'));
  const clock = new TestClock();
  const passing = clock.pass(1000).then(() => clock.pass(2000));
  const stopping = new AbortController();
  const onText = (text: string) => text.includes('\t2.0\t') && stopping.abort(interruption);
  const { code, stderr } = await ran(server.url, ['board', '--watch'], { signal: stopping.signal, clock, onText });
  await passing;
  expect(code).toBe(130);
  expect(stderr.split('\n')).toEqual([
    'The service answered 503; ask again in a moment. The next attempt is in 1 s.',
    expect.stringMatching(/^Can't reach the service .* The next attempt is in 2 s\.$/),
    '',
  ]);
});

describe('history', () => {
  test('has the events of a place, newest first, as the API gives them', async () => {
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
      `${minute(3)}\tsuccess\tpayments-api\tstaging\t3bcdef0\t\t${c?.id}`,
    );
  });

  test('says so where there is nothing, and takes both names', async () => {
    const url = await emptyService();
    await postStored(url, anEvent({ service: 'a', environment: 'c' }));
    await postStored(url, anEvent({ service: 'c', environment: 'b' }));
    expect(await ran(url, ['history', 'a', 'b'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The log has no such events.\n',
    });
    expect(await ran(url, ['history', 'a'])).toMatchObject({ code: 2 });
    expect(await ran(url, ['history', 'a', ''])).toMatchObject({ code: 2 });
    expect(await ran(url, ['history', 'a', 'b', '--limit', '0'])).toMatchObject({ code: 2 });
  });

  test('shows hostile texts as escapes, in one row each', async () => {
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
  test('follows the log from its end, each event as the API gives it', async () => {
    const url = await emptyService();
    const before = await postStored(url, anEvent({ service: 'before' }));
    const { code, stdout } = await ranUntil(url, ['tail', '--json', '--resume', before.id], 'last', () =>
      keepPosting(url, (n) => anEvent({ service: n === 2 ? 'last' : `s-${n}` })),
    );
    expect(code).toBe(130);
    const { body } = await clientOf(url).listDeployments();
    expect(documents(stdout)).toEqual(
      body.items.filter(({ id }) => id > before.id).sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  test('with --since begins with what happened since, and then has each event once', async () => {
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

  test('begins at the end of the log where nothing else is said', async () => {
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
  ])('%s %s is a mistake of use, and so are both together', async (option, value) => {
    expect(await ran('http://127.0.0.1:1', ['tail', option, value])).toMatchObject({ code: 2 });
    const id = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';
    expect(await ran('http://127.0.0.1:1', ['tail', '--since', '1h', '--resume', id])).toMatchObject({ code: 2 });
  });

  test('ends where the service cannot be reached at first', async () => {
    expect(await ran('http://127.0.0.1:1', ['tail'])).toMatchObject({ code: 4 });
  });
});

test('dora has the four keys of a window, and says what a lead time is not', async () => {
  const url = await emptyService();
  const { stdout, stderr } = await ran(url, ['dora']);
  expect(stdout).toBe(
    [
      'deployment_frequency\t0\tper_day\tlow\t',
      'lead_time\tnone\thours\tlow\t',
      'change_failure_rate\tnone\tratio\telite\t',
      'time_to_restore\tnone\tminutes\telite\t\n',
    ].join('\n'),
  );
  expect(stderr).toMatch(/^7 days, from .* to .*\.\nlead_time is approximated from chains of promotions;/);
  const { body } = await clientOf(url).getDora({ query: { window: '30d' } });
  expect(documents((await ran(url, ['dora', '--period', '30d', '--json'])).stdout)).toEqual([body]);
  expect(await ran(url, ['dora', '--period', '60'])).toMatchObject({ code: 2 });
  const scoped = await ran(url, ['dora', '--services', 'pay-*', '--services', 'x', '--environments', 'prod', '--json']);
  expect(documents(scoped.stdout)).toMatchObject([{ scope: { services: ['pay-*', 'x'], environments: ['prod'] } }]);
  const refused = await ran(url, ['dora', '--services', 'pay\\']);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('/services')]);
});

test('components has the latest report of each', async () => {
  const url = await emptyService();
  expect((await ran(url, ['components'])).stderr).toBe('No component has reported within the last two hours.\n');
  for (const [componentId, details] of [
    ['relay', ['one', 'two\nlines']],
    ['demo-driver', ['three']],
  ] as const) {
    const reporter = createReporter({ baseUrl: url, apiKey: testKeys.api, componentId });
    for (const detail of details) await reporter.status('running', { detail });
  }
  const { stdout } = await ran(url, ['components']);
  expect(stdout.split('\n').map((line) => line.replace(/\t20[^\t]*\t\d+s/, ''))).toEqual([
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
    [['quality'], '/?view=quality'],
    [['compare'], '/?view=compare'],
    [['pipelines'], '/?view=swimlanes'],
    [['swimlanes'], '/?view=swimlanes'],
  ])('%j opens the address in the browser, and prints it', async (args, path) => {
    const { code, stdout } = await ran('http://127.0.0.1:1', ['open', ...args], { env: { BROWSER: 'true' } });
    expect([code, stdout]).toEqual([0, `http://127.0.0.1:1${path}\n`]);
  });

  test('refuses what is no view, and says the address where there is no browser', async () => {
    const refused = await ran('http://127.0.0.1:1', ['open', 'x']);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        '"x" is no view; there are board, pipelines, releases, compare, feed, analytics, quality.',
      ),
    ]);
    const { code, stderr } = await ran('http://127.0.0.1:1', ['open'], { env: { BROWSER: '/no/browser' } });
    expect([code, stderr]).toEqual([
      1,
      'No browser could be started (/no/browser); open http://127.0.0.1:1/ in one.\n',
    ]);
  });
});
