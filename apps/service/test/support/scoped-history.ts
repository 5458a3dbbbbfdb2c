import type { AnalyticsWindow, DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import fc from 'fast-check';
import { drawnEvent, placed } from './analytics-history.ts';

/** A scope as query parameters, and the rows that the scope selects. */
interface DrawnScope {
  readonly query: { readonly services?: string[]; readonly environments?: string[] };
  readonly includes?: (row: Pick<DeploymentEvent, 'service' | 'environment'>) => boolean;
}

const scopes: readonly DrawnScope[] = [
  { query: {} },
  { query: {} },
  { query: {} },
  { query: { services: ['a*'] }, includes: ({ service }) => service.startsWith('a') },
  { query: { services: ['none'] }, includes: () => false },
  {
    query: { environments: ['PROD', 'Staging'] },
    includes: ({ environment }) => ['PROD', 'Staging'].includes(environment),
  },
  {
    query: { services: ['web', '?pi'], environments: ['prod', '*e*'] },
    includes: ({ environment }) => environment === 'prod' || environment.includes('e'),
  },
];

/** Events with releases in few deployments and slots, and the query to run on them. */
export const scopedHistory = fc.record({
  drawn: fc.array(
    fc.record({
      event: drawnEvent,
      version: fc.constantFrom(undefined, undefined, '', '1', '2', '3'),
      sha: fc.constantFrom(undefined, '', '1', '2'),
      /** For dense histories: one of a few times, deployments and slots. */
      minute: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(-1, 0, 0, 1, 2, 1439, 1440) }, fc.constant(9 * 1440)),
      deployment: fc.constantFrom('a', 'b', 'c'),
      environment: fc.constantFrom('PROD', 'PROD', 'PROD', 'prod', 'dev'),
      status: fc.constantFrom('success', 'success', 'failure', 'in-progress', 'queued'),
    }),
    { minLength: 0, maxLength: 40, size: 'max' },
  ),
  /** Whether the history is dense: with many equal times, runs, reruns, cycles and releases that come back. */
  crowd: fc.constantFrom(true, true, false),
  scope: fc.constantFrom(...scopes),
  /** The end of the period (in minutes before the end of the current day) and its length. */
  period: fc.option(
    fc.record({
      end: fc.constantFrom(0, 1440, 1440 + 719, 3 * 1440),
      length: fc.constantFrom(1, 60, 1441, 5000, 12_000),
    }),
    { nil: undefined },
  ),
});

type ScopedHistory = typeof scopedHistory extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const minuteMs = 60_000;

/**
 * The events in this window and the query on them. `shown` has the stages of the promotion order that are in the scope.
 */
export function placedHistory(
  { drawn, crowd, scope, period }: ScopedHistory,
  window: AnalyticsWindow,
  promotionOrder: readonly string[] = [],
) {
  const events = drawn.map(({ event, version, sha, minute, ...close }): DeploymentEventIngest => {
    const { deployment: deployment_id, ...place } = close;
    const happened_at = new Date(Date.parse(window.from) + minute * minuteMs).toISOString();
    return {
      ...placed(event, window),
      ...(crowd && { deployment_id, service: 'api', ...place, happened_at }),
      ...(version !== undefined && { version }),
      ...(sha !== undefined && { sha }),
    };
  });
  const endMs = Date.parse(window.to) + 1440 * minuteMs - (period?.end ?? 0) * minuteMs;
  const asked = period
    ? { from: new Date(endMs - period.length * minuteMs).toISOString(), to: new Date(endMs).toISOString() }
    : { window: '7d' };
  const plainWindowOf = (answered: AnalyticsWindow) => ({
    ...answered,
    isPeriod: period !== undefined,
    ...(scope.includes && { includes: scope.includes }),
  });
  // Every scope with environments includes the service "api".
  const shown = promotionOrder.filter(
    (environment) => scope.query.environments === undefined || scope.includes?.({ service: 'api', environment }),
  );
  return { events, shown, query: { ...asked, ...scope.query }, plainWindowOf };
}
