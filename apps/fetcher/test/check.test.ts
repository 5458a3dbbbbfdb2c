import { expect, test } from 'vitest';
import type { Source, Step } from '../src/adapter.ts';
import type { Change, SourceDefaults } from '../src/change.ts';
import { checkSource } from '../src/check/check-source.ts';
import { compileMapping } from '../src/domain/mapping.ts';
import { changeOf } from './support/change.ts';
import { configOf } from './support/config.ts';

const defaults: SourceDefaults = { service: ({ name = '' }) => name, version: '{artifact:version|sha7}' };

interface Script {
  /** The changes in each step of each cycle. */
  readonly polls?: readonly (readonly Change[][])[];
  readonly pages?: readonly (readonly Change[][])[];
  readonly artifact?: Source['artifact'];
  readonly failsWith?: Error;
}

/** A source that returns its steps cycle by cycle; its memory is the number of steps taken. */
function sourceOf({ polls = [], pages = [], artifact, failsWith }: Script) {
  const seen = { cycles: 0, steps: 0, sleeps: 0 };
  async function* steps(changes: readonly Change[][] = []): AsyncGenerator<Step> {
    for (const one of changes) {
      seen.steps += 1;
      yield { changes: one, memory: seen.steps };
    }
  }
  const source: Source = {
    defaults,
    begin: (from) => from.getTime(),
    startingAt: () => 0,
    poll: (memory) => {
      expect(memory).toBe(seen.steps);
      seen.cycles += 1;
      return steps(polls[seen.cycles - 1]);
    },
    async *backfill(memory) {
      expect(memory).toBe(seen.steps);
      yield* steps(pages[seen.cycles - 1]);
      if (failsWith) throw failsWith;
    },
    fit: (memory) => memory,
    figures: () => {
      const isOver = seen.cycles >= pages.length && !failsWith;
      return {
        open: 0,
        forbidden: [],
        failing: [],
        warnings: [],
        backfill: isOver ? null : { done: 0, left: 1 },
        oldestPollMs: undefined,
      };
    },
    ...(artifact && { artifact }),
  };
  return { source, seen };
}

function check(script: Script, signal = new AbortController().signal) {
  const { source, seen } = sourceOf(script);
  const clock = {
    now: () => new Date(0),
    sleep: async () => {
      seen.sleeps += 1;
    },
  };
  const mapping = compileMapping(
    configOf(
      'rules: [{ match: { environment: pr-* }, drop: true }, { match: { name: mono }, service: "{payload.s}" }]',
    ),
    defaults,
  );
  const result = checkSource({
    id: 'ghes',
    idPrefix: 'g-',
    source,
    mapping,
    clock,
    pace: { pauseMs: 60_000, idleCyclesMax: 3, onPause: () => undefined },
    signal,
  });
  return { result, seen };
}

/** A deployment in a repository, identified by its number and created at this minute. */
function deployment(minute: number, repo = 'web', fields: Partial<Change> = {}): Change {
  const at = new Date(Date.UTC(2026, 4, 4, 0, minute)).toISOString();
  const vars = { repo: `acme/${repo}`, name: repo, ...fields.vars };
  return changeOf({ id: `gh-deploy-${minute}`, at, order: minute, ...fields, vars });
}

test('--check shows a deployment with its newest status and its events', async () => {
  const open = deployment(1, 'web', { status: 'in-progress' });
  const done = deployment(2, 'web', { id: open.id, status: 'failure', parents: ['gh-deploy-0'] });
  const { rows, failure } = await check({ polls: [[[done, open]]] }).result;
  expect(failure).toBeUndefined();
  expect(rows).toEqual([
    {
      ...{ source: 'ghes', repo: 'acme/web', deployment: 'gh-deploy-1', environment: 'production', status: 'failure' },
      becomes: [
        {
          ...{ deployment_id: 'g-gh-deploy-1', service: 'web', environment: 'production', version: '9f1c2ab' },
          ...{ status: 'failure', happened_at: done.at, sha: '9f1c2ab4d6e8', parent_deployments: ['g-gh-deploy-0'] },
        },
      ],
    },
  ]);
});

test('if two statuses have the same time, --check uses the later one', async () => {
  const [queued, running] = [deployment(1, 'web', { status: 'queued', order: 1 }), deployment(1, 'web', { order: 2 })];
  for (const changes of [
    [queued, running],
    [running, queued],
  ]) {
    const { rows } = await check({ polls: [[changes]] }).result;
    expect(rows.map(({ status }) => status)).toEqual(['success']);
  }
});

test('--check marks dropped and unmapped deployments', async () => {
  const dropped = deployment(1, 'web', { vars: { environment: 'pr-7' } });
  const { rows } = await check({ polls: [[[dropped, deployment(2, 'mono')]]] }).result;
  expect(rows.map(({ repo, becomes }) => [repo, becomes])).toEqual([
    ['acme/mono', 'unmapped'],
    ['acme/web', 'dropped'],
  ]);
});

const minutes = (from: number, to: number, repo?: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => deployment(to - index, repo));

test('--check shows the last twenty deployments of each repository, newest first', async () => {
  const { rows } = await check({ pages: [[minutes(1, 25), minutes(1, 3, 'api')]] }).result;
  expect(rows.map(({ repo, deployment: id }) => `${repo} ${id}`)).toEqual([
    ...[3, 2, 1].map((minute) => `acme/api gh-deploy-${minute}`),
    ...Array.from({ length: 20 }, (_, index) => `acme/web gh-deploy-${25 - index}`),
  ]);
});

test('--check stops after a round of all repositories that finds no new deployments', async () => {
  const full = [minutes(81, 100), minutes(1, 2, 'api')];
  const older = Array.from({ length: 50 }, (_, index) => [deployment(index)]);
  const { result, seen } = check({ pages: [[...full, ...older], []] });
  expect((await result).rows).toHaveLength(22);
  expect(seen).toEqual({ cycles: 1, steps: 2 + 3, sleeps: 0 });
});

test('--check keeps reading a repository with fewer than twenty deployments', async () => {
  const turns = Array.from({ length: 19 }, (_, index) => [[deployment(50 - index)], [deployment(20 - index, 'api')]]);
  const { result } = check({ pages: [[minutes(81, 100), minutes(40, 40, 'api'), ...turns.flat()]] });
  expect((await result).rows).toHaveLength(40);
});

test('at the rate limit, --check continues after a pause as long as it finds deployments', async () => {
  const { result, seen } = check({ pages: [[minutes(3, 3)], [minutes(2, 2)], [], [], [], [minutes(1, 1)], []] });
  expect((await result).rows).toHaveLength(2);
  expect(seen).toEqual({ cycles: 5, steps: 2, sleeps: 5 });
});

test('--check shows what a failing source returned so far, and why the list is incomplete', async () => {
  const failsWith = new Error('the tool rejects the token');
  const { rows, failure } = await check({ pages: [[minutes(1, 2)]], failsWith }).result;
  expect([rows.length, failure]).toEqual([2, failsWith]);
});

test('--check reads an artifact that the version needs; an unreadable artifact is reported and skipped', async () => {
  const texts = await check({ polls: [[minutes(1, 1)]], artifact: async (_, name) => `${name} 1.4.2` }).result;
  expect(texts.rows[0]?.becomes).toMatchObject([{ version: 'version 1.4.2' }]);
  const away = new Error('away');
  const { rows, failure } = await check({ polls: [[minutes(1, 1)]], artifact: () => Promise.reject(away) }).result;
  expect(rows[0]?.becomes).toMatchObject([{ version: '9f1c2ab' }]);
  expect(failure).toBe(away);
});

test('aborting the signal ends --check', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(check({ pages: [[minutes(1, 1)], []] }, stop.signal).result).rejects.toThrow('stopped');
});
