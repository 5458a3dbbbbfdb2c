import { answeredStatus } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Catalog } from './catalog.ts';
import type { Facts } from './domain/rule.ts';
import type { LogReader } from './log-reader.ts';
import type { Stages } from './stages.ts';

export interface FactSources {
  readonly log: LogReader;
  readonly catalog: Catalog;
  readonly stages: Stages;
}

/** Facts about an event, each requested at most once for all targets. */
export function factsOf(event: DeploymentEvent, { log, catalog, stages }: FactSources): Facts {
  return {
    team: once(() => catalog.teamOf(event.service)),
    isInStage: (names) => stages.isIn(event.environment, names),
    isRecovery: once(() => unlessRefused(log.isRecovery(event))),
    isFirst: once(() => unlessRefused(log.isFirst(event))),
  };
}

/**
 * A refusal counts as "no", because the service would refuse again. If the service is unreachable, the caller retries.
 */
async function unlessRefused(answer: Promise<boolean>): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    const status = answeredStatus(error) ?? 0;
    if (status >= 400 && status < 500 && status !== 429) return false;
    throw error;
  }
}

function once<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let asked: Promise<Result> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}
