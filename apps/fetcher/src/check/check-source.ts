import type { Clock } from '@shiplog/client';
import { byCodePoint, instantKey, parseInstant } from '@shiplog/contract';
import type { Source, SourceFigures } from '../adapter.ts';
import type { Change } from '../change.ts';
import { eventsOf, type Mapping } from '../domain/mapping.ts';
import { variableOf } from '../domain/variables.ts';
import { readArtifacts } from '../sources/publisher.ts';
import type { CheckRow } from './check-report.ts';

export interface CheckOptions {
  readonly id: string;
  /** Opened with a backfill depth, so that the source reads the newest deployments first. */
  readonly source: Source;
  readonly idPrefix: string;
  readonly mapping: Mapping;
  readonly clock: Clock;
  readonly pace: CheckPace;
  readonly signal: AbortSignal;
}

export interface CheckPace {
  /** The wait between two cycles until more requests are allowed. */
  readonly pauseMs: number;
  /** The number of consecutive cycles without new deployments after which the check ends. */
  readonly idleCyclesMax: number;
  /** Called after each cycle except the last. */
  onPause(found: { readonly deployments: number; readonly repositories: number }): void;
}

export interface CheckResult {
  readonly rows: readonly CheckRow[];
  /** `undefined` if the source was not reached. */
  readonly figures: SourceFigures | undefined;
  readonly failure?: Error;
}

const deploymentsShown = 20;

/**
 * The events that the last 20 deployments of each repository in a source would become (fetcher §3.6). Posts nothing.
 * @throws the reason of the signal
 */
export async function checkSource(options: CheckOptions): Promise<CheckResult> {
  const found = new NewestDeployments(deploymentsShown);
  const rows: CheckRow[] = [];
  let failure: Error | undefined;
  const note = (error: Error) => {
    options.signal.throwIfAborted();
    failure ??= error;
  };
  let figures: SourceFigures | undefined;
  await readDeployments(options, found, (last) => {
    figures = last;
  }).catch(note);
  for (const change of found.changes()) {
    const artifacts = new Map<string, string>();
    await readArtifacts(options, change, artifacts, options.signal).catch(note);
    rows.push(rowOf(options, change, artifacts));
  }
  return { rows, figures, ...(failure && { failure }) };
}

/** Ends when the backfill is complete, or when polling all repositories has found nothing more to show. */
async function readDeployments(
  { source, clock, pace, signal }: CheckOptions,
  found: NewestDeployments,
  onFigures: (figures: SourceFigures) => void,
): Promise<void> {
  let memory = source.begin(new Date(0));
  let idleSteps = 0;
  for (let idleCycles = 0; idleCycles < pace.idleCyclesMax; ) {
    const before = found.size;
    for await (const step of source.poll(memory, { signal })) {
      memory = step.memory;
      found.take(step.changes);
    }
    onFigures(source.figures(memory));
    for await (const step of source.backfill(memory, signal)) {
      memory = step.memory;
      idleSteps = found.take(step.changes) ? 0 : idleSteps + 1;
      if (idleSteps > found.repositories) return;
    }
    if (source.figures(memory).backfill === null) return;
    idleCycles = found.size > before ? 0 : idleCycles + 1;
    pace.onPause({ deployments: found.size, repositories: found.repositories });
    await clock.sleep(pace.pauseMs, signal);
    signal.throwIfAborted();
  }
}

function rowOf(
  { id, idPrefix, mapping }: CheckOptions,
  change: Change,
  artifacts: ReadonlyMap<string, string>,
): CheckRow {
  const mapped = mapping.map(change, artifacts);
  return {
    source: id,
    repo: variableOf(change, 'repo'),
    deployment: change.id,
    environment: variableOf(change, 'environment'),
    status: change.status,
    becomes: mapped.kind === 'events' ? eventsOf(change, mapped.events, idPrefix) : mapped.kind,
  };
}

/** The newest deployments of each repository, each with its newest change. */
class NewestDeployments {
  readonly #perRepository: number;
  readonly #changes = new Map<string, Map<string, Change>>();

  constructor(perRepository: number) {
    this.#perRepository = perRepository;
  }

  get repositories(): number {
    return this.#changes.size;
  }

  get size(): number {
    return [...this.#changes.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns whether a deployment was added that will be shown. */
  take(changes: readonly Change[]): boolean {
    let isNew = false;
    for (const change of changes) {
      const repository = variableOf(change, 'repo');
      const deployments = this.#changes.get(repository) ?? new Map<string, Change>();
      this.#changes.set(repository, deployments);
      const known = deployments.get(change.id);
      if (!known && deployments.size < this.#perRepository) isNew = true;
      if (!known || newestFirst(change, known) < 0) deployments.set(change.id, change);
    }
    return isNew;
  }

  changes(): Change[] {
    return [...this.#changes]
      .sort(([one], [other]) => byCodePoint(one, other))
      .flatMap(([, deployments]) => [...deployments.values()].sort(newestFirst).slice(0, this.#perRepository));
  }
}

function newestFirst(one: Change, other: Change): number {
  return byCodePoint(timeKey(other), timeKey(one)) || other.order - one.order;
}

function timeKey({ at }: Change): string {
  return instantKey(parseInstant(at) ?? at);
}
