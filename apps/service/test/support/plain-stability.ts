import type { DeploymentEvent } from '@shiplog/contract';
import { micros } from '@shiplog/testing';
import { groups, inside, oldestFirst, type PlainWindow, type Rows } from './plain-analytics.ts';

const dayMicros = 86_400_000_000n;

/** A success in the window, and the rows that make it a rollback or rework. */
export interface PlainSuccess {
  readonly row: DeploymentEvent;
  readonly release: string | undefined;
  /** For a rollback: the last success of another release, and the success of the same release before that. */
  readonly rollback: readonly [replaced: DeploymentEvent, earlier: DeploymentEvent] | undefined;
  readonly failure: DeploymentEvent | undefined;
}

function releaseOf({ version, sha }: DeploymentEvent): string | undefined {
  if (version) return `version ${version}`;
  return sha ? `sha ${sha}` : undefined;
}

/** Reads the whole log of each slot in order, remembering all earlier successes. */
export function plainSuccesses(rows: Rows, window: PlainWindow): PlainSuccess[] {
  const found: PlainSuccess[] = [];
  for (const slot of groups(rows, (row) => JSON.stringify([row.service, row.environment]))) {
    const released: { release: string; row: DeploymentEvent }[] = [];
    let failure: DeploymentEvent | undefined;
    for (const row of oldestFirst(slot)) {
      if (row.status === 'failure') failure = row;
      if (row.status !== 'success') continue;
      const release = releaseOf(row);
      const replaced = released.at(-1);
      const earlier = released.findLast((other) => other.release === release);
      const isRollback = release !== undefined && replaced && earlier && replaced.release !== release;
      const isSoon = failure && micros(row) - micros(failure) <= dayMicros;
      if (inside([row], window).length === 1) {
        const rollback = isRollback ? ([replaced.row, earlier.row] as const) : undefined;
        found.push({ row, release, rollback, failure: isSoon ? failure : undefined });
      }
      failure = undefined;
      if (release !== undefined) released.push({ release, row });
    }
  }
  return found;
}

export function plainStability(rows: Rows, window: PlainWindow) {
  const all = plainSuccesses(rows, window);
  const of = (some: readonly PlainSuccess[]) => ({
    rollbacks: some.filter(({ rollback }) => rollback).length,
    rework: some.filter(({ rollback, failure }) => rollback ?? failure).length,
    successes: some.length,
  });
  const per = (count: number) => ({ count, rate: all.length === 0 ? null : count / all.length });
  const places = [...new Set(all.map(({ row }) => JSON.stringify([row.service, row.environment])))].sort();
  const slots = places
    .map((place) => {
      const [service = '', environment = ''] = JSON.parse(place) as string[];
      const some = all.filter(({ row }) => row.service === service && row.environment === environment);
      return { service, environment, ...of(some) };
    })
    .filter(({ rework }) => rework > 0)
    .sort((left, right) => right.rework - left.rework || right.rollbacks - left.rollbacks)
    .slice(0, 10);
  const { rollbacks, rework } = of(all);
  return { rollbacks: per(rollbacks), rework: per(rework), slots, approximated: true };
}
