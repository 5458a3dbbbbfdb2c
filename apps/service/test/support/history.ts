import { type DeploymentEvent, type DeploymentEventIngest, statuses } from '@shiplog/contract';
import fc from 'fast-check';

/** `common` much more often than each of the others. */
const mostly = <Value>(common: Value, ...others: Value[]) =>
  fc.oneof({ weight: others.length, arbitrary: fc.constant(common) }, fc.constantFrom(...others));

const minutesLater = mostly(0, 1, 9, 10, 60, 61, 719, 1440, 2880);

/** An event, dated by its distance from the time of its post. Negative values are ahead of the clock. */
export const drawnEvent = fc.record({
  minutesAgo: mostly(
    0,
    1,
    3,
    9,
    10,
    20,
    30,
    59,
    60,
    61,
    -1,
    -5,
    -6,
    -90,
    240,
    720,
    1440,
    1441,
    3000,
    6480,
    9000,
    10_800,
    43_200,
  ),
  micros: mostly(0, 1, -1, 500_000),
  deployment: fc.constantFrom(...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'a', 'b', 'c', 'd', 'x', 'y', 'z']),
  service: fc.constantFrom('api', 'api', 'api', 'A-pi', 'web', 'a/é'),
  environment: fc.constantFrom('dev', 'dev', 'Staging', 'staging', 'qa', 'PROD', 'PROD', 'prod', 'Pro_duction'),
  status: fc.constantFrom(...statuses, 'success', 'success', 'success', 'failure', 'in-progress', 'in-progress'),
  version: fc.constantFrom(undefined, undefined, '', '1.0', '1.1', '1.1', 'RC_1%', 'abcd12'),
  sha: fc.constantFrom(undefined, undefined, '', 'abcd12', 'ABCD99', 'ffff00aa'),
  ref: mostly(undefined, '', 'main'),
  actor: fc.constantFrom(undefined, '', 'alice', 'bob', 'unknown'),
  reporter: mostly(undefined, 'one/x', 'two/x'),
  parents: fc.option(
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'x', 'y', 'z', 'nobody'), { minLength: 1, maxLength: 3 }),
    {
      nil: undefined,
      freq: 2,
    },
  ),
});

type DrawnEvent = typeof drawnEvent extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** What the events of a history have in common. */
const habits = fc.record({
  /** Whether all are in one place or two, so that runs are long and releases are redeployed. */
  isCrowd: fc.boolean(),
  hasReleases: mostly(true, false),
  hasParents: fc.boolean(),
});

type Habits = typeof habits extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Members of the log by number, which wraps around at its end. */
const indices = fc.array(fc.nat(200), { minLength: 1, maxLength: 4 });

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
    includes: ({ service, environment }) =>
      ['web', 'api'].includes(service) && (environment === 'prod' || environment.includes('e')),
  },
];

export const question = fc.record({
  instance: fc.nat(1),
  scope: fc.constantFrom(...scopes),
  window: fc.constantFrom('7d', '14d', '30d', '30D'),
  /** The end of a period (in minutes before the end of the current day) and its length. */
  period: fc.option(
    fc.record({
      end: fc.constantFrom(0, 1, 1440, 1440 + 719, 3 * 1440),
      length: fc.constantFrom(1, 60, 61, 1441, 5000, 12_000),
    }),
    { nil: undefined },
  ),
  /** The size of pages. */
  limit: fc.constantFrom(2, 5, 100, 100),
  searches: fc.subarray(['1.', 'C_', '_1', '%.', '1%', 'abcd', 'ABCD9', 'ffff00aa', 'ffff00aab', 'abc', 'cd12', 'é/'], {
    minLength: 1,
    maxLength: 4,
  }),
  /** Whether to request the counted evidence or the rest. */
  counted: fc.boolean(),
  /** Two events, for questions about the time of one or between both. */
  edges: fc.tuple(fc.nat(200), fc.nat(200)),
});

export type Question = typeof question extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const action = fc.oneof(
  {
    weight: 36,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      events: fc.array(drawnEvent, { minLength: 2, maxLength: 14, size: 'max' }),
    }),
  },
  {
    weight: 21,
    arbitrary: fc.record({ kind: fc.constant('fold' as const), rowsMax: fc.constantFrom(1, 2, 3, 5, 1000) }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('remove' as const), indices }) },
  /** Removes whole deployments. */
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('forget' as const), indices }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('prune' as const), days: fc.constantFrom(1, 2, 5, 30) }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('ask' as const), question, part: fc.nat(16) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('truncate' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('save' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
);

/** What happens to a log, and when. */
export const drawnHistory = fc.record({
  habits,
  actions: fc.array(fc.record({ minutesLater, action }), { minLength: 5, maxLength: 16, size: 'max' }),
});

export type Action = typeof action extends fc.Arbitrary<infer Drawn> ? Drawn : never;

export function eventOf(
  drawn: DrawnEvent,
  { isCrowd, hasReleases, hasParents }: Habits,
  nowMs: number,
): DeploymentEventIngest {
  const { service, environment, status, version, sha, ref, actor, reporter, parents } = drawn;
  return {
    deployment_id: drawn.deployment,
    service: isCrowd ? 'api' : service,
    environment: isCrowd && environment !== 'dev' ? 'PROD' : environment,
    status,
    happened_at: instantOf(BigInt(nowMs - drawn.minutesAgo * 60_000) * 1000n + BigInt(drawn.micros)),
    ...(hasReleases && version !== undefined && { version }),
    ...(hasReleases && sha !== undefined && { sha }),
    ...(ref !== undefined && { ref }),
    ...(actor !== undefined && { actor }),
    ...(reporter !== undefined && { progress_reporter: reporter }),
    ...(hasParents && parents !== undefined && { parent_deployments: parents }),
  };
}

/** RFC 3339 in UTC, without trailing zeros, of microseconds since the Unix epoch. */
export function instantOf(micros: bigint): string {
  const seconds = new Date(Number(micros / 1000n)).toISOString().slice(0, 19);
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${seconds}${fraction && `.${fraction}`}Z`;
}
