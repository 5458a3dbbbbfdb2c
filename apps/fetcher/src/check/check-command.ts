import { systemClock } from '@shiplog/client';
import { fetcherLimits } from '@shiplog/companions';
import { createLogger } from '@shiplog/server';
import { holdSourceOf } from '../config/calendars.ts';
import type { FetcherConfig } from '../config.ts';
import { warningOf } from '../health.ts';
import { connectTo, openSource } from '../sources/open-source.ts';
import { checkCalendar } from './check-calendar.ts';
import { type CheckCalendar, type CheckRow, checkJson, renderCalendars, renderCheck } from './check-report.ts';
import { type CheckPace, type CheckResult, checkSource } from './check-source.ts';

export interface CheckCommandOptions {
  readonly config: FetcherConfig;
  readonly asJson: boolean;
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
  readonly tell: (line: string) => void;
}

/** Requests are available again within a minute. */
const pauseMs = 5000;
const idleCyclesMax = 15;
/** Events per environment; enough for 20 deployments. */
const depth = 500;

/**
 * `--check`: shows which events the last deployments of each repository would become (fetcher §3.6), and how many
 * freezes each calendar would make. Posts nothing. @returns whether everything could be read
 */
export async function checkCommand({ config, asJson, signal, write, tell }: CheckCommandOptions): Promise<boolean> {
  const rows: CheckRow[] = [];
  let isWhole = true;
  for (const sourceConfig of config.sources.filter(({ places }) => places.length > 0)) {
    const { id, idPrefix, places, baseUrl } = sourceConfig;
    tell(`${id}: reading ${places.join(', ')} from ${baseUrl} …`);
    const connection = connectTo(sourceConfig, { clock: systemClock, requestsPerMinute: paceOf(config) });
    const { source, mapping } = openSource(sourceConfig, {
      ...{ connection, clock: systemClock, log: createLogger('silent') },
      ...{ times: { ...config.times, backfillDepth: depth }, rules: config.rules, environments: config.environments },
      unknownStatus: (status) => tell(`${id}: the status ${JSON.stringify(status)} is unknown and was skipped`),
    });
    const onPause: CheckPace['onPause'] = ({ deployments, repositories }) =>
      tell(
        `${id}: ${deployments} deployments of ${repositories} repositories so far; continuing within the rate limit …`,
      );
    const pace = { pauseMs, idleCyclesMax, onPause };
    const result = await checkSource({ id, source, idPrefix, mapping, clock: systemClock, pace, signal });
    rows.push(...result.rows);
    const missing = missingOf(result);
    for (const sentence of missing) tell(`${id}: ${sentence}`);
    isWhole &&= missing.length === 0;
  }
  const calendars: CheckCalendar[] = [];
  for (const entry of config.calendars) {
    const checked = await checkCalendar(entry, signal);
    calendars.push(checked);
    if (checked.problem !== null) tell(`${holdSourceOf(entry)}: ${checked.problem}`);
    isWhole &&= checked.problem === null;
  }
  const isPolling = config.sources.some(({ places }) => places.length > 0);
  const deployments = isPolling || calendars.length === 0 ? renderCheck(rows) : '';
  write(asJson ? checkJson(rows, calendars) : deployments + renderCalendars(calendars));
  return isWhole;
}

function missingOf({ figures, failure }: CheckResult): string[] {
  const lack = figures ? warningOf(figures) : null;
  return [
    ...(lack === null ? [] : [lack]),
    ...(figures?.failing ?? []).map(({ name, why }) => `${name}: no usable answer: ${why}`),
    ...(failure ? [`the list is incomplete: ${failure.message}`] : []),
  ];
}

/** Uses the highest rate unless one is configured, because a person is waiting for the output. */
function paceOf({ requestsPerMinute }: FetcherConfig): number {
  const { maxRequestsPerMinute, maxRequestsPerMinuteMax } = fetcherLimits;
  return requestsPerMinute === maxRequestsPerMinute ? maxRequestsPerMinuteMax : requestsPerMinute;
}
