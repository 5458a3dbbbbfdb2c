import { expect, test } from 'vitest';
import type { Source } from '../src/adapter.ts';
import { githubActions } from '../src/adapters/github/adapter.ts';
import { gitlab } from '../src/adapters/gitlab/adapter.ts';
import { checkSource } from '../src/check/check-source.ts';
import { compileMapping } from '../src/domain/mapping.ts';
import { never } from './support/asked-tool.ts';
import { configOf } from './support/config.ts';
import { GitlabRun } from './support/source-run.ts';

/** Uses the default values of its settings. */
function opened(adapter: typeof gitlab, trial: GitlabRun): Source {
  const values = Object.entries(adapter.settings).map(([name, { fallback }]) => [name, fallback]);
  return adapter.open({ ...trial.context(), id: adapter.kind, values: Object.fromEntries(values) } as never);
}

test.each([
  ['GitHub', githubActions, ['demo-org/notifications', 'demo-org/legacy-billing'], /^(notifications|legacy-billing)$/],
  ['GitLab', gitlab, ['demo-group/**'], /^(ledger|reports|router)$/],
] as const)(
  "--check shows all deployments of %s that the emulator's data implies",
  async (_, adapter, places, services) => {
    const trial = await GitlabRun.start({ places, times: { backfillDepth: 500 } });
    const source = opened(adapter, trial);
    const mapping = compileMapping(configOf(), source.defaults);
    const options = {
      id: adapter.kind,
      idPrefix: '',
      source,
      mapping,
      pace: { pauseMs: 60_000, idleCyclesMax: 3, onPause: () => undefined },
      signal: never,
    };
    const { rows, failure } = await checkSource({ ...options, clock: trial.context().clock });
    expect(failure).toBeUndefined();
    const implied = await trial.emulator.exported();
    const events = rows.flatMap(({ becomes }) => (typeof becomes === 'string' ? [] : becomes));
    expect(implied).toEqual(expect.arrayContaining(events));
    const ids = implied.filter(({ service }) => services.test(service)).map(({ deployment_id }) => deployment_id);
    expect(events.map(({ deployment_id }) => deployment_id).sort()).toEqual([...new Set(ids)].sort());
  },
);
