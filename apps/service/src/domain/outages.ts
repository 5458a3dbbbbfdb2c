import { type FieldError, instantKey, type Outage, type OutageCause, type OutageRow } from '@shiplog/contract';
import { compileGlobs } from '@shiplog/text';
import { utc } from './hold-faults.ts';
import { instantOfMicros, microsOf } from './micros.ts';
import type { Scope } from './scope.ts';

/** An outage without its links. */
export type OutageState = Omit<Outage, 'links' | 'reason'>;

/** A gap of up to this long between a resolution and a reopening counts as open (outages.md 1.3). */
const gapMicros = 30n * 60_000_000n;
const minuteMicros = 60_000_000;

/** What is wrong with the cause that a row names (outages.md 7.1). */
export function causeFaults({ caused_by, not_by_deployment }: Partial<OutageRow>): FieldError[] {
  const faults: FieldError[] = [];
  if (caused_by) {
    const { deployment_id, service, version } = caused_by;
    const isMixed = deployment_id !== undefined && (service !== undefined || version !== undefined);
    const missing = (name: string) => faults.push({ pointer: `/caused_by/${name}`, message: 'is required' });
    if (isMixed) {
      faults.push({ pointer: '/caused_by', message: 'must have either deployment_id, or service and version' });
    } else if (deployment_id === undefined) {
      if (service === undefined && version === undefined) missing('deployment_id');
      else if (service === undefined) missing('service');
      else if (version === undefined) missing('version');
    }
    if (not_by_deployment !== undefined) {
      faults.push({ pointer: '/not_by_deployment', message: "can't be combined with caused_by" });
    }
  }
  return faults;
}

/** What rows about one outage add up to; they are ordered by (`happened_at`, `id`), at least one (outages.md 1.3, 7.2). */
export function outageOf(rows: readonly OutageRow[]): OutageState {
  const latest = <Name extends keyof OutageRow>(name: Name) => rows.findLast((row) => row[name] !== undefined)?.[name];
  const first = rows[0] as OutageRow;
  const opened = rows.filter(({ state }) => state === 'opened');
  const beginning = opened[0] ?? first;
  const last = opened.at(-1);
  const resolved = rows.slice(last ? rows.indexOf(last) + 1 : 0).find(({ state }) => state === 'resolved');
  const isDismissed = rows.findLast(({ state }) => state !== 'resolved')?.state === 'dismissed';
  const said = rows.findLast((row) => row.caused_by !== undefined || row.not_by_deployment !== undefined);
  return {
    source: first.source,
    outage_id: first.outage_id,
    state: isDismissed ? 'dismissed' : resolved ? 'resolved' : 'open',
    opened_at: instantOfMicros(microsAt(beginning)),
    resolved_at: resolved ? instantOfMicros(microsAt(resolved)) : null,
    minutes: minutesOf(rows, opened.length > 0),
    services: latest('services') ?? null,
    environments: latest('environments') ?? null,
    severity: latest('severity') ?? null,
    title: latest('title') ?? null,
    url: latest('url') ?? null,
    caused_by: said?.caused_by ?? null,
    not_by_deployment: said?.not_by_deployment ?? false,
  };
}

function microsAt({ happened_at }: OutageRow): bigint {
  return microsOf(utc(happened_at) ?? happened_at);
}

/** The total time the outage was open; `null` while it is open, and if no row says when it began. */
function minutesOf(rows: readonly OutageRow[], hasOpened: boolean): number | null {
  const stretches: { from: bigint; to: bigint | undefined }[] = [];
  for (const [index, row] of rows.entries()) {
    const { state } = row;
    const at = microsAt(row);
    const open = stretches.at(-1)?.to === undefined ? stretches.at(-1) : undefined;
    const begins = state === 'opened' || (!hasOpened && index === 0 && state !== 'resolved');
    if (begins && !open) {
      const before = stretches.at(-1);
      if (before?.to !== undefined && at - before.to <= gapMicros) before.to = undefined;
      else stretches.push({ from: at, to: undefined });
    } else if (state === 'resolved' && open) open.to = at;
  }
  let micros = 0n;
  for (const { from, to } of stretches) {
    if (to === undefined) return null;
    micros += to - from;
  }
  return stretches.length === 0 ? null : Number(micros) / minuteMicros;
}

/** Where an outage is: its services × its environments (outages.md 7.4). */
export interface OutagePlaces {
  readonly services: readonly string[];
  readonly environments: readonly string[];
}

/** @param last the last environments of the promotion order, which apply to an outage without environments. */
export function placesOf(
  { services, environments }: Pick<OutageState, 'services' | 'environments'>,
  last: readonly string[],
): OutagePlaces {
  return { services: services ?? [], environments: environments && environments.length > 0 ? environments : last };
}

/** Whether one of an outage's places is in a scope. */
export function withinScope(scope: Scope | undefined): (places: OutagePlaces) => boolean {
  if (!scope) return () => true;
  const isEnvironment = scope.environments ? remembered(compileGlobs(scope.environments)) : () => true;
  const isService = serviceTest(scope);
  return ({ services, environments }) => {
    if (!environments.some(isEnvironment)) return false;
    return services.length === 0 ? scope.services === undefined && scope.teams === undefined : services.some(isService);
  };
}

function serviceTest({ names, services }: Scope): (name: string) => boolean {
  const test = names ? (name: string) => names.includes(name) : services ? compileGlobs(services) : () => true;
  return remembered(test);
}

/** Thousands of outages have few names. */
function remembered(test: (name: string) => boolean): (name: string) => boolean {
  const results = new Map<string, boolean>();
  return (name) => {
    const known = results.get(name);
    if (known !== undefined) return known;
    const result = test(name);
    results.set(name, result);
    return result;
  };
}

export function isRelease(
  cause: OutageCause | object,
): cause is { readonly service: string; readonly version: string } {
  return 'version' in cause;
}

/** A success that may have caused an outage. */
export interface Success {
  readonly id: string;
  readonly service: string;
  readonly environment: string;
  readonly deployment_id: string;
  readonly at: string;
}

/** By (`happened_at`, `id`). */
export function isLaterSuccess(one: Success, other: Success): boolean {
  const [left, right] = [instantKey(one.at), instantKey(other.at)];
  return left === right ? one.id > other.id : left > right;
}
