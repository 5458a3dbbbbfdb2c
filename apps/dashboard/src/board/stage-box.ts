import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { grouped, versionOf } from '@shiplog/text';
import { byTime } from './board.ts';
import { runningIn, type SlotBox, slotBoxesIn } from './box.ts';
import type { FutureRows } from './future-rows.ts';
import { memoizeLast, memoizePer, memoizePerRow } from './memoize.ts';
import { type RollUp, rankOf, rollUpOfBoxes } from './roll-up.ts';
import { shortNames } from './stages.ts';

/** A version that runs in some environments of a stage. */
export interface StageVersion {
  readonly version: string;
  /** The short names of the environments; "all 3" or "both" if the version runs in every environment of the stage. */
  readonly where: string;
  readonly event: DeploymentEvent;
}

/** The content of a folded column: the environments of a stage as one box (stages.md 4.19). */
export interface StageBox {
  /** The worst state. */
  readonly worst: SlotBox;
  /** The short name of the worst environment. */
  readonly worstIn: string;
  /** The number of environments in each state. */
  readonly counts: RollUp;
  /** The versions that run, newest first. */
  readonly versions: readonly StageVersion[];
  readonly places: readonly SlotBox[];
}

/** `undefined` = the service was never deployed to the stage. */
export function stageBoxOf(
  row: MatrixRow,
  environments: readonly string[],
  futureRows: FutureRows,
): StageBox | undefined {
  return stageBoxesIn(environments)(futureRows)(row);
}

/** Cached, because the grid needs a stage box for the height of the row and again for the cell. */
const stageBoxesIn = memoizePer((environments: readonly string[]) =>
  memoizeLast((futureRows: FutureRows) => memoizePerRow((row) => computedStageBox(row, environments, futureRows))),
);

function computedStageBox(
  row: MatrixRow,
  environments: readonly string[],
  futureRows: FutureRows,
): StageBox | undefined {
  const places = slotBoxesIn(row, environments, futureRows);
  const [worst] = [...places].sort((one, other) => rankOf(one.box) - rankOf(other.box));
  if (!worst) return undefined;
  const short = (environment: string) => shortNames(environments).get(environment) ?? environment;
  return {
    worst,
    worstIn: short(worst.environment),
    counts: rollUpOfBoxes(places.map(({ box }) => box)),
    versions: versionsIn(places, environments.length, short),
    places,
  };
}

function versionsIn(places: readonly SlotBox[], all: number, short: (name: string) => string): StageVersion[] {
  const running = places.flatMap(({ environment, box }) => {
    const event = runningIn(box);
    return event ? [{ environment, event }] : [];
  });
  return [...grouped(running, ({ event }) => versionOf(event))]
    .map(([version, own]) => {
      const events = own.map(({ event }) => event).sort(byTime);
      const names = own.map(({ environment }) => short(environment)).join(', ');
      const isEverywhere = own.length === all && all > 1;
      const where = isEverywhere ? (all === 2 ? 'both' : `all ${all}`) : names;
      return { version, where, first: events[0], event: events.at(-1) };
    })
    .flatMap(({ first, event, ...version }) => (first && event ? [{ ...version, first, event }] : []))
    .sort((one, other) => byTime(other.first, one.first))
    .map(({ version, where, event }) => ({ version, where, event }));
}
