import { setTimeout as delay } from 'node:timers/promises';
import type { StatusDistributionReport } from '@shiplog/contract';
import type { History } from '../faults/history.ts';
import type { Place } from '../faults/instance.ts';
import { happenedDay } from '../faults/writers.ts';

const everyMs = 50;
const withinMs = 30_000;

/**
 * Polls an instance for the number of events, which must include all posts acknowledged before the request, until the
 * signal is aborted. Returns the number of responses; none are expected while the database is down.
 */
export async function questioned(instance: Place, history: History, signal: AbortSignal): Promise<number> {
  const url = `${instance.url}/api/analytics/status-distribution?from=${happenedDay.from}&to=${happenedDay.to}`;
  let answers = 0;
  for (; !signal.aborted; await delay(everyMs)) {
    const { stored } = history;
    const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) }).catch(() => undefined);
    if (answer && answer.status !== 200 && answer.status !== 503) {
      history.violated('answer', `a count got ${answer.status}`);
    }
    if (answer?.status !== 200) continue;
    const { statuses } = (await answer.json()) as StatusDistributionReport;
    const told = statuses.reduce((sum, { count }) => sum + count, 0);
    answers += 1;
    if (told < stored) history.violated('lost', `${instance.name} counts ${told} events after ${stored} were stored`);
  }
  return answers;
}
