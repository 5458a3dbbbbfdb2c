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
} from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { documents, interruption, ran, ranUntil } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyService } = sharedLog();

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

  test('board --json prints the matrix of the API', async () => {
    const url = await filled();
    const [shown] = documents((await ran(url, ['board', '--json'])).stdout) as [Matrix];
    const { body } = await clientOf(url).getMatrix();
    expect({ ...shown, generated_at: '' }).toEqual({ ...body, generated_at: '' });
  });

  test('board prints one tab-separated line per slot if standard output is not a terminal', async () => {
    const { code, stdout, stderr } = await ran(await filled(), ['board']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      `pay-api\tdev\tsuccess\t1.0\t${minute(1)}\tann\t\t`,
      `pay-api\tprod\tfailure\t1.1\t${minute(2)}\tann\t1.0\t`,
      `web\tdev\tin-progress\t8\t${minute(2)}\tann\t\t`,
      'web\tprod\t\t\t\t\t\twaiting',
    ]);
  });

  test('board prints a table of services by environments on a terminal, in colour unless NO_COLOR is set', async () => {
    const url = await filled();
    const plain = await ran(url, ['board'], { isTerminal: true, env: { NO_COLOR: '1' } });
    expect(plain.stdout).toMatch(/^service +dev +prod *\npay-api +✔ 1\.0 \d+ d +✘ 1\.1 \d+ d *\n +✔ 1\.0 \d+ d *\n/);
    expect(plain.stdout).toMatch(/web +▶ 8 \d+ d +waiting 8 \d+ d *\n +\(failed before\)/);
    expect(plain.stdout).not.toContain('\u001b');
    expect((await ran(url, ['board'], { isTerminal: true })).stdout).toContain('\u001b[31m✘ 1.1');
  });

  test('the table fits the terminal and lists hidden environments, unless --wide is given', async () => {
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
    expect(narrow.stderr).toBe(`Hidden for lack of space: ${environments.slice(7).join(', ')}. --wide shows all.\n`);
    const wide = await shown(80, '--wide');
    expect([wide.stderr, wide.stdout.match(/1\.2\.3-rc\.1\+abcdef0 \d+ d/g)?.length]).toEqual(['', 12]);
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
  ])('with the options %j, board shows only %j', async (options, slots) => {
    const url = await filled();
    const lines = (await ran(url, ['board', ...options])).stdout.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual(slots);
    const [matrix] = documents((await ran(url, ['board', '--json', ...options])).stdout) as [Matrix];
    const inSlots = matrix.rows.flatMap(({ slots }) => Object.keys(slots));
    expect(matrix.environments).toEqual([...new Set(inSlots)].sort());
  });

  test('board --at prints the board at that time', async () => {
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

  test('board --watch prints changes after the snapshot without a gap', async () => {
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

test('board --watch continues after a failed read', async () => {
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
    'The service answered 503. Try again in a moment. Retrying in 1 s.',
    expect.stringMatching(/^Can't reach the service .* Retrying in 2 s\.$/),
    '',
  ]);
});
