import type { DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, minute, postStored } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { assistant } from './support/assistant.ts';
import { call, documents, ran } from './support/call.ts';
import { sharedLog, watched } from './support/service.ts';

const promotionOrder = [
  { name: 'dev' },
  { name: 'early', globs: ['uat-*'] },
  { name: 'Production', globs: ['prod-*', 'dr'] },
];
const { emptyService } = sharedLog({ analytics: { granularity: 'day', promotionOrder } });

/** An event of `api`: where, when and which release. */
type Row = readonly [environment: string, at: number, version: string, fields?: Partial<DeploymentEventIngest>];

async function logOf(...rows: readonly Row[]): Promise<string> {
  const url = await emptyService();
  await store(url, ...rows);
  return url;
}

async function store(url: string, ...rows: readonly Row[]): Promise<void> {
  for (const [environment, at, version, fields] of rows)
    await postStored(url, anEvent({ service: 'api', environment, version, happened_at: minute(at), ...fields }));
}

const failure = { status: 'failure' } as const;
const running = { status: 'in-progress' } as const;

describe('wait', () => {
  const wait = ['wait', '--service', 'api', '--environment', 'stage:production', '--version', '2'];
  const once = [...wait, '--timeout', '0'];

  test('a release that is the last success in each environment of the stage makes wait exit with 0', async () => {
    const url = await logOf(['prod-eu', 1, '2'], ['dr', 2, '1'], ['dr', 3, '2'], ['prod-us', 4, '9', failure]);
    await store(url, ['uat-a', 5, '9'], ['prod', 6, '9']);
    expect(await call(once, { url })).toEqual({
      code: 0,
      out: `api 2: success in stage:production at ${minute(3)}.\n`,
      err: '',
    });
  });

  test('wait counts an environment with another release, which is not a replacement', async () => {
    const url = await logOf(['prod-eu', 3, '2'], ['prod-us', 1, '1'], ['dr', 2, '2', running]);
    const { code, err } = await call(once, { url });
    expect(code).toBe(1);
    expect(err).toContain(
      `Timed out after 0: it has been in-progress in dr since ${minute(2)}, the log has no event for it in prod-us.`,
    );
  });

  test.each([
    ['a failure', ['dr', 5, '2', failure] as Row, `failure in dr at ${minute(5)}`],
    ['another release after it', ['dr', 5, '3'] as Row, `replaced by 3 in dr at ${minute(5)}`],
  ])('%s in one environment makes wait exit with 1 and name the environment', async (_, row, told) => {
    const url = await logOf(['dr', 4, '2'], ['prod-eu', 3, '2', running], row);
    expect(await call(wait, { url })).toMatchObject({ code: 1, out: `api 2: ${told}.\n` });
  });

  test('wait follows all environments of the stage, including a new one', async () => {
    const url = await logOf(['prod-eu', 3, '2', running]);
    const { url: watchedUrl, opened } = await watched(url);
    const called = call(wait, { url: watchedUrl });
    await opened;
    await store(url, ['prod-new', 1, '1'], ['prod-eu', 4, '2'], ['prod-new', 5, '2']);
    expect(await called).toMatchObject({ code: 0, out: `api 2: success in stage:production at ${minute(5)}.\n` });
  });
});

describe('can-promote', () => {
  const ask = (url: string, ...more: readonly string[]) => call(['can-promote', '--service', 'api', ...more], { url });
  const two = ['--version', '2'];

  test.each(['stage:production', 'dr'])('without --from, the stage before that of %s counts', async (to) => {
    const url = await logOf(['dr', 1, '1'], ['uat-a', 2, '2'], ['uat-b', 3, '2', running]);
    const yes = `yes: api 2 may be promoted from stage:early to ${to}.\n`;
    expect(await ask(url, ...two, '--to', to)).toEqual({ code: 0, out: yes, err: '' });
    await store(url, ['uat-b', 4, '2', failure]);
    const no = `no: api 2 has been failure in uat-b since ${minute(4)}.\n`;
    expect(await ask(url, ...two, '--to', to)).toEqual({ code: 1, out: no, err: '' });
  });

  test('the soak time needs one success, however many environments the stage has', async () => {
    const url = await logOf(['uat-a', 2, '2'], ['uat-b', 3, '2', { happened_at: new Date().toISOString() }]);
    const soak = ['--from', 'stage:early', '--to', 'stage:production', '--soak', '1h'];
    expect((await ask(url, ...two, ...soak)).code).toBe(0);
    await store(url, ['uat-a', 4, '2', running]);
    const said = await ask(url, ...two, ...soak);
    expect([said.code, said.out]).toEqual([
      1,
      expect.stringMatching(/^no: api 2 has been in uat-b since .* soak time/),
    ]);
    await store(url, ['uat-b', 5, '2', { ...running, happened_at: new Date(Date.now() + 1000).toISOString() }]);
    expect((await ask(url, ...two, ...soak)).out.split('\n')).toHaveLength(3);
  });

  test('--no-open-failures looks at every environment of both stages', async () => {
    const url = await logOf(['uat-a', 2, '2'], ['uat-b', 3, '1', failure], ['prod-us', 4, '1', failure]);
    await store(url, ['prod-eu', 5, '1'], ['dev', 6, '3', failure]);
    const { code, out } = await ask(url, ...two, '--to', 'stage:production', '--no-open-failures');
    expect([code, out.trimEnd().split('\n')]).toEqual([
      1,
      [
        `no: the latest completed deployment in uat-b failed: 1 at ${minute(3)}.`,
        `no: the latest completed deployment in prod-us failed: 1 at ${minute(4)}.`,
      ],
    ]);
  });

  test('--current needs one release in all environments of the stage', async () => {
    const url = await logOf(['uat-a', 2, '2'], ['uat-b', 3, '2'], ['dr', 1, '1']);
    expect((await ask(url, '--current', '--to', 'dr')).out).toContain('yes: api 2');
    await store(url, ['uat-b', 4, '3']);
    const said = await ask(url, '--current', '--to', 'dr');
    expect([said.code, said.err]).toEqual([2, expect.stringContaining('several releases: 2 in uat-a, 3 in uat-b.')]);
  });

  test('without --from, a stage that has no stage before it is refused', async () => {
    const url = await logOf(['dev', 2, '2'], ['elsewhere', 2, '2']);
    for (const to of ['dev', 'stage:dev', 'elsewhere']) {
      const { code, err } = await ask(url, ...two, '--to', to);
      expect([code, err]).toEqual([2, expect.stringContaining(`no stage before ${to}.`)]);
    }
  });
});

describe('questions', () => {
  test('history of a stage has the events of all its environments, newest first', async () => {
    const url = await logOf(
      ['prod-eu', 1, '1'],
      ['dr', 2, '1'],
      ['prod-eu', 3, '2'],
      ['prod-us', 4, '2'],
      ['dev', 5, '3'],
    );
    const environmentsOf = async (...more: readonly string[]) =>
      (
        documents((await ran(url, ['history', 'api', 'stage:production', '--json', ...more])).stdout) as {
          environment: string;
        }[]
      ).map(({ environment }) => environment);
    expect(await environmentsOf()).toEqual(['prod-us', 'prod-eu', 'dr', 'prod-eu']);
    expect(await environmentsOf('--limit', '2')).toEqual(['prod-us', 'prod-eu']);
    expect((await call(['history', 'api', 'stage:early'], { url })).err).toContain('No events found.');
  });

  test('diff shows what each environment of a mixed stage runs', async () => {
    const url = await logOf(['prod-eu', 1, '1'], ['prod-us', 2, '2'], ['dev', 1, '1'], ['dev', 2, '2']);
    const { out } = await call(['diff', 'dev', 'stage:production'], { url });
    expect(out).toContain('prod-eu 1 · prod-us 2');
    expect((await call(['diff', 'dev', 'stage:production', '--markdown'], { url })).out).toContain(
      '(1 release; different releases: prod-eu 1 · prod-us 2)',
    );
    expect((await call(['diff', 'stage:early', 'dev', '--all'], { url })).code).toBe(0);
  });

  test('changes lists the environments of a stage', async () => {
    const url = await logOf(['prod-eu', 1, '1'], ['dev', 1, '1']);
    const range = ['--from', minute(0), '--to', minute(9)];
    const { out } = await call(['changes', ...range, '--environments', 'stage:production'], { url });
    expect(out).toContain('prod-eu');
    expect(out).not.toContain('dev');
  });

  test('attention exits with 1 for any environment of the last stage, and lists it first', async () => {
    const url = await logOf(['aaa', 1, '1', failure]);
    expect((await call(['attention'], { url })).code).toBe(0);
    await store(url, ['prod-us', 1, '1', failure]);
    const { code, out } = await call(['attention', '--json'], { url });
    expect(code).toBe(1);
    expect(documents(out).map((item) => (item as { environment: string }).environment)).toEqual(['prod-us', 'aaa']);
  });

  test.each([
    ['wait', '--service', 'api', '--environment', 'stage:prod', '--version', '1'],
    ['can-promote', '--service', 'api', '--version', '1', '--from', 'stage:prod', '--to', 'dr'],
    ['history', 'api', 'stage:prod'],
    ['diff', 'dev', 'stage:prod'],
    ['changes', '--environments', 'stage:prod'],
  ])('%s refuses an unknown stage', async (...argv) => {
    const { code, err } = await call(argv, { url: await logOf(['dr', 1, '1']) });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('The promotion order has no stage "prod". Its stages: dev, early, Production.'),
    ]);
  });
});

describe('an assistant', () => {
  test('the history of a stage continues at its cursor without gaps', async () => {
    const rows = [1, 1, 2, 3, 3].map((at, index): Row => [index % 2 ? 'dr' : 'prod-eu', at, `${index}`]);
    const { call: ask } = await assistant(await logOf(...rows, ['dev', 9, '9']));
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const given = { service: 'api', environment: 'stage:production', limit: 2, ...(cursor && { cursor }) };
      const { json } = await ask('history', given);
      seen.push(...json.items.map(({ environment, version }) => [environment, version]));
      cursor = json.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual([
      ['prod-eu', '4'],
      ['dr', '3'],
      ['prod-eu', '2'],
      ['dr', '1'],
      ['prod-eu', '0'],
    ]);
  });

  test('the difference of a mixed stage names what each environment runs', async () => {
    const { call: ask } = await assistant(await logOf(['prod-eu', 1, '1'], ['prod-us', 2, '2'], ['dev', 2, '2']));
    const { json } = await ask('diff', { from: 'dev', to: 'stage:production' });
    expect(json.items[0]?.mixed).toEqual([
      { environment: 'prod-eu', version: '1' },
      { environment: 'prod-us', version: '2' },
    ]);
    const refused = await ask('diff', { from: 'dev', to: 'stage:prod' });
    expect([refused.isError, refused.texts.join()]).toEqual([true, expect.stringContaining('no stage "prod"')]);
  });
});
