import { answeredStatus } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Catalog } from './catalog.ts';
import type { Facts } from './domain/rule.ts';
import type { LogReader } from './log-reader.ts';

/** What log and catalog say beside an event, each asked for once, however many targets want to know. */
export function factsOf(event: DeploymentEvent, log: LogReader, catalog: Catalog): Facts {
  return {
    team: once(() => catalog.teamOf(event.service)),
    isRecovery: once(() => unlessRefused(log.isRecovery(event))),
    isFirst: once(() => unlessRefused(log.isFirst(event))),
  };
}

/** A question that the service refuses would be refused for ever: it is answered no. Where it is away, it is asked again. */
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
