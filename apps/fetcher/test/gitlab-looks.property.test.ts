import type { GitlabStatus, SeedProject } from '@shiplog/companions';
import { runs } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aProject, aSeed } from '../../ci-emulator/test/support/emulator.ts';
import { GitlabRun } from './support/source-run.ts';

const jobs = ['deploy-dev', 'deploy-eu', 'deploy-us', 'deploy-production'] as const;

const project: SeedProject = aProject({
  environments: ['dev', 'eu', 'us', 'production'],
  pipelines: [
    {
      id: 71,
      stages: ['build', 'dev', 'regions', 'production'],
      jobs: [
        { name: 'build', stage: 'build' },
        { name: 'deploy-dev', stage: 'dev' },
        { name: 'deploy-eu', stage: 'regions' },
        { name: 'deploy-us', stage: 'regions', needs: ['build', 'deploy-dev'] },
        { name: 'deploy-production', stage: 'production' },
      ],
    },
  ],
  deployments: [],
});

/** The statuses that may follow a status of GitLab. */
const next: Readonly<Record<string, readonly GitlabStatus[]>> = {
  created: ['blocked', 'running', 'canceled', 'skipped'],
  blocked: ['running', 'canceled', 'failed'],
  running: ['success', 'failed', 'canceled'],
};

type Step =
  | { readonly kind: 'deploy'; readonly job: (typeof jobs)[number] }
  | { readonly kind: 'move'; readonly which: number; readonly to: number }
  | { readonly kind: 'look' | 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deploy' as const), job: fc.constantFrom(...jobs) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('move' as const), which: fc.nat(20), to: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('look' as const, 'restart' as const) }) },
);

/** What a trial has created. */
interface Made {
  /** The status of each deployment. */
  readonly statuses: Map<string, string>;
  readonly jobs: Set<string>;
}

/** Carries out the step as far as possible. */
async function act(trial: GitlabRun, { statuses, jobs }: Made, step: Step): Promise<void> {
  trial.clock.advance(60_000);
  if (step.kind === 'deploy') {
    const { job } = step;
    // A job has only one deployment, so the next deployment is in another pipeline.
    const run = jobs.has(job) ? {} : { run: 71 };
    const request = { repository: 'acme/ledger', environment: job.replace('deploy-', ''), job, ...run };
    statuses.set((await trial.emulator.deploy(request)).deployment_id, 'created');
    jobs.add(job);
  } else if (step.kind === 'move') {
    const open = [...statuses].filter(([, status]) => status in next);
    const [id = '', status = ''] = open[step.which % open.length] ?? [];
    const targets = next[status] ?? [];
    const state = targets[step.to % targets.length];
    if (state === undefined) return;
    statuses.set(id, state);
    await trial.emulator.move(id, { state, ...(state === 'failed' && step.to > 2 && { rejected_by: 'peggy' }) });
  }
}

test('§10: a change and its parents are the same whenever and by whichever process they are read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const often = await GitlabRun.start({ data: aSeed({ repos: [], projects: [project] }), places: ['acme/*'] });
      let source = await often.first();
      const made: Made = { statuses: new Map(), jobs: new Set() };
      for (const step of steps) {
        if (step.kind === 'restart') source = often.source();
        if (step.kind === 'look' || step.kind === 'restart') await often.cycle(source);
        else await act(often, made, step);
      }
      await often.cycle(source);
      const late = often.twin();
      await late.first();
      for (const [key, change] of late.log.rows) expect([key, often.log.rows.get(key)]).toEqual([key, change]);
    }),
    { numRuns: runs(12) },
  );
});
