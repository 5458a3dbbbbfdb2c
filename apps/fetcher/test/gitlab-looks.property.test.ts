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

/** Carries out the step as far as possible; `made` has the status of each created deployment. */
async function act(trial: GitlabRun, made: Map<string, string>, step: Step): Promise<void> {
  trial.clock.advance(60_000);
  if (step.kind === 'deploy') {
    const environment = step.job.replace('deploy-', '');
    const request = { repository: 'acme/ledger', environment, run: 71, job: step.job };
    made.set((await trial.emulator.deploy(request)).deployment_id, 'created');
  } else if (step.kind === 'move') {
    const open = [...made].filter(([, status]) => status in next);
    const [id = '', status = ''] = open[step.which % open.length] ?? [];
    const targets = next[status] ?? [];
    const state = targets[step.to % targets.length];
    if (state === undefined) return;
    made.set(id, state);
    await trial.emulator.move(id, { state, ...(state === 'failed' && step.to > 2 && { rejected_by: 'peggy' }) });
  }
}

test('§10: a change and its parents are the same whenever and by whichever process they are read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const often = await GitlabRun.start({ data: aSeed({ repos: [], projects: [project] }), places: ['acme/*'] });
      let source = await often.first();
      const made = new Map<string, string>();
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
