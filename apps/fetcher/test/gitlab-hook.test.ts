import { expect, test } from 'vitest';
import { aSeed } from '../../ci-emulator/test/support/emulator.ts';
import type { Json } from '../src/change.ts';
import { ShapeFault } from '../src/tool/shape.ts';
import { never } from './support/asked-tool.ts';
import { GitlabRun } from './support/source-run.ts';

const sha = 'c'.repeat(40);

function aHook(fields: Readonly<Record<string, Json>> = {}): Json {
  return {
    object_kind: 'deployment',
    status: 'running',
    status_changed_at: '2021-04-28 21:50:00 +0200',
    deployment_id: 15,
    deployable_id: 796,
    deployable_url: 'https://gitlab.com/acme/ledger/-/jobs/796',
    environment: 'staging',
    project: { id: 30, path_with_namespace: 'acme/ledger' },
    short_sha: sha.slice(0, 8),
    user: { username: 'root' },
    ref: 'main',
    commit_url: `https://gitlab.com/acme/ledger/-/commit/${sha}`,
    ...fields,
  };
}

async function receive(body: Json, places: readonly string[] = []) {
  const trial = await GitlabRun.start({ data: aSeed({ repos: [] }), places });
  const received = await trial.source().receive?.({ headers: {}, body }, never);
  return { trial, received };
}

test("§11: if the project isn't polled, a hook becomes one change", async () => {
  const { received } = await receive(aHook());
  expect(received).toEqual({
    hints: [],
    changes: [
      {
        id: 'gl-deploy-15',
        order: 62,
        status: 'in-progress',
        at: '2021-04-28T21:50:00+02:00',
        identity: 'status',
        parents: [],
        vars: {
          adapter: 'gitlab',
          repo: 'acme/ledger',
          owner: 'acme',
          name: 'ledger',
          job: '',
          environment: 'staging',
          ref: 'main',
          tag: '',
          actor: 'root',
          sha,
          sha7: 'ccccccc',
          id: '15',
          run_id: '',
          run_number: '',
          run_url: 'https://gitlab.com/acme/ledger/-/jobs/796',
          version: 'cccccccc',
        },
      },
    ],
  });
});

test.each([
  ['2021-04-28 21:50:00 +0200', '2021-04-28T21:50:00+02:00'],
  ['2021-04-28 21:50:00 -05:30', '2021-04-28T21:50:00-05:30'],
  ['2021-04-28 19:50:00 UTC', '2021-04-28T19:50:00Z'],
  ['2021-04-28T21:50:00.123+02:00', '2021-04-28T21:50:00.123+02:00'],
])('reads the instant of the hook %j as %j', async (written, expected) => {
  const { received } = await receive(aHook({ status_changed_at: written }));
  expect(received?.changes.map(({ at }) => at)).toEqual([expected]);
});

test.each([
  ['created', 'pending'],
  ['blocked', 'waiting'],
  ['success', 'success'],
  ['failed', 'failure'],
  ['canceled', 'cancelled'],
  ['skipped', 'cancelled'],
])('the hook status %s becomes %s', async (status, expected) => {
  const { received } = await receive(aHook({ status }));
  expect(received?.changes.map((change) => change.status)).toEqual([expected]);
});

test('the reason for a failure is requested from its job', async () => {
  const trial = await GitlabRun.start({ data: aSeed({ repos: [] }), places: [] });
  const { id } = await trial.emulator.deploy({ repository: 'acme/ledger', environment: 'production', run: 71 });
  await trial.emulator.move(id, { state: 'failed', rejected_by: 'peggy' });
  const body = aHook({ status: 'failed', deployable_id: 7102, project: { id: 7, path_with_namespace: 'acme/ledger' } });
  const received = await trial.source().receive?.({ headers: {}, body }, never);
  expect(received?.changes.map(({ status }) => status)).toEqual(['rejected']);
});

test.each([{ status: 500 }, { status: 401 }, { status: 429 }])(
  "if the job can't be requested (%j), the deployment has the status failure",
  async (effect) => {
    const trial = await GitlabRun.start({ data: aSeed({ repos: [] }), places: [] });
    await trial.emulator.fault({ match: { path: '/api/v4/projects/*/jobs/*' }, effect });
    const received = await trial.source().receive?.({ headers: {}, body: aHook({ status: 'failed' }) }, never);
    expect(received?.changes.map(({ status }) => status)).toEqual(['failure']);
  },
);

test("a hook with an unknown status is counted but doesn't become a change", async () => {
  const { trial, received } = await receive(aHook({ status: 'approved' }));
  expect([received, trial.unknown]).toEqual([{ changes: [], hints: [] }, ['approved']]);
});

test.each([{ object_kind: 'pipeline' }, { object_kind: 'push', project: null }, {}])(
  "the hook %j doesn't become a change",
  async (body) => {
    expect((await receive(body as Json)).received).toEqual({ changes: [], hints: [] });
  },
);

test.each<[what: string, fields: Readonly<Record<string, Json>>]>([
  ['an instant', { status_changed_at: 'yesterday' }],
  ['a valid day', { status_changed_at: '2021-02-30 21:50:00 UTC' }],
  ['an id', { deployment_id: '15' }],
  ['a project', { project: null }],
  ['a status', { status: 5 }],
])('a hook without %s is refused', async (_, fields) => {
  await expect(receive(aHook(fields))).rejects.toThrow(ShapeFault);
});

test.each([null, 'text', []])('the hook %j is refused', async (body) => {
  await expect(receive(body)).rejects.toThrow('must be an object');
});

test.each<[places: readonly string[], expected: unknown]>([
  [['acme/*'], { changes: [], hints: ['acme/ledger'] }],
  [['ACME/Ledger'], { changes: [], hints: ['acme/ledger'] }],
  [['acme/**', '!acme/led*'], undefined],
  [['other/**'], undefined],
])('§11.2: if %j is polled, the hook is a hint or is ignored', async (places, expected) => {
  expect((await receive(aHook(), places)).received).toEqual(expected);
});
