import type { DeploymentEvent, MatrixRow, PlaceFacts } from '@shiplog/contract';
import { pluralize, stageNameIn } from '@shiplog/text';
import { environmentsOf, isSlot, slotStateIn } from './board.ts';
import { type Facts, factsIn } from './facts.ts';
import { memoizePerRow } from './memoize.ts';

/** How many releases of the previous stage a slot is missing. */
export type Drift = NonNullable<PlaceFacts['behind']>;

export function lastSuccessIn(row: MatrixRow, environment: string): DeploymentEvent | undefined {
  const slotState = slotStateIn(row, environment);
  if (!slotState || !isSlot(slotState)) return undefined;
  return slotState.current.status === 'success' ? slotState.current : slotState.last_successful;
}

/** The drift of a slot; `undefined` if it has none, or if the facts are older than the last success of either stage. */
export function driftIn(row: MatrixRow, environment: string, facts: Facts): Drift | undefined {
  const drift = factsIn(facts, row.service, environment)?.behind;
  if (!drift || lastSuccessId(row, environment) > facts.position) return undefined;
  const before = stageNameIn(drift.of) === undefined ? lastSuccessId(row, drift.of) : newestSuccessId(row);
  return before <= facts.position ? drift : undefined;
}

/** Empty if no deployment ever succeeded there. */
function lastSuccessId(row: MatrixRow, environment: string): string {
  return lastSuccessIn(row, environment)?.id ?? '';
}

/** The highest id of the last successes in all environments. */
const newestSuccessId = memoizePerRow((row) =>
  environmentsOf(row).reduce((newest, environment) => {
    const id = lastSuccessId(row, environment);
    return id > newest ? id : newest;
  }, ''),
);

/** "2 behind". */
export function driftLabel({ count }: Drift): string {
  return `${count} behind`;
}

/** For a sentence: "2 releases behind staging". */
export function driftWords({ count, of }: Drift): string {
  return `${pluralize(count, 'release')} behind ${stageNameIn(of) ?? of}`;
}
