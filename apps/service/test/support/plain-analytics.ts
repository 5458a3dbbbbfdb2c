import { type DeploymentEvent, statuses } from '@shiplog/contract';
import { distinct, micros, newestFirst } from '@shiplog/testing';
import { type PlainStage, stageOf } from './plain-stage.ts';

/**
 * The nine reports as defined by the specification and readings 5, computed from a list of rows by the simplest
 * possible code. The model shares no code with the product, so that it can't share its bugs.
 */

/** The window of a report. The model does not compute it. */
export interface PlainWindow {
  readonly days: number;
  readonly from: string;
  readonly to: string;
  /** A period. Its halves are halves of the UTC days that it overlaps. */
  readonly isPeriod?: boolean;
  /** Whether a row is in scope. If absent, all rows are. */
  readonly includes?: (row: DeploymentEvent) => boolean;
}

export type Rows = readonly DeploymentEvent[];

const dayMs = 86_400_000;
export const minuteMicros = 60_000_000n;
const start = (text: string) => Date.parse(text);
const microsOf = (text: string) => micros({ happened_at: text });
const dateOf = (row: DeploymentEvent) => row.happened_at.slice(0, 10);
const terminal = (rows: Rows) => rows.filter(({ status }) => status === 'success' || status === 'failure');
const withStatus = (rows: Rows, status: DeploymentEvent['status']) => rows.filter((row) => row.status === status);
export const oldestFirst = (rows: Rows) => newestFirst(rows).reverse();

export function groups(rows: Rows, key: (row: DeploymentEvent) => string): Rows[] {
  return [...new Set(rows.map(key))].map((wanted) => rows.filter((row) => key(row) === wanted));
}

export function inside(rows: Rows, window: PlainWindow): DeploymentEvent[] {
  return rows.filter(
    (row) =>
      micros(row) >= microsOf(window.from) &&
      micros(row) < microsOf(window.to) &&
      (window.includes === undefined || window.includes(row)),
  );
}

/** Every date that the window overlaps. */
function dates({ from, to }: PlainWindow): string[] {
  const found = new Set<string>();
  const lastBefore = new Date(Number((microsOf(to) - 1n) / 1000n));
  for (let at = start(from); at < lastBefore.getTime(); at += 3_600_000)
    found.add(new Date(at).toISOString().slice(0, 10));
  found.add(lastBefore.toISOString().slice(0, 10));
  return [...found];
}

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

function rate(rows: Rows): number | null {
  const all = terminal(rows).length;
  return all === 0 ? null : withStatus(rows, 'failure').length / all;
}

export function plainFrequency(rows: Rows, window: PlainWindow) {
  return dates(window).map((date) => {
    const day = inside(rows, window).filter((row) => dateOf(row) === date);
    return { date, success: withStatus(day, 'success').length, failure: withStatus(day, 'failure').length };
  });
}

export function plainFailureRates(rows: Rows, window: PlainWindow) {
  return dates(window).map((date) => ({
    date,
    rate: rate(inside(rows, window).filter((row) => dateOf(row) === date)) ?? 0,
  }));
}

export function plainHistogram(rows: Rows, window: PlainWindow) {
  const minutes = groups(rows, (row) => row.deployment_id)
    .filter((group) => group.length >= 2 && inside(newestFirst(group).slice(0, 1), window).length === 1)
    .map((group) => {
      const ordered = oldestFirst(group);
      const last = ordered.at(-1) as DeploymentEvent;
      const first = ordered[0] as DeploymentEvent;
      return Number(micros(last) - micros(first)) / Number(minuteMicros);
    })
    .sort((left, right) => left - right);
  const edges = [0, 10, 20, 30, 60, 120];
  const [p50, p95] = [median(minutes), minutes[Math.ceil(0.95 * minutes.length) - 1] ?? null];
  return {
    bins: edges.map((lower, index) => {
      const upper = edges[index + 1] ?? null;
      const count = minutes.filter((value) => value >= lower && (upper === null || value < upper)).length;
      return {
        label: upper === null ? '120+' : `${lower}-${upper}`,
        lower_minutes: lower,
        upper_minutes: upper,
        count,
      };
    }),
    p50,
    p95,
    p50_minutes: p50,
    p95_minutes: p95,
  };
}

export function plainFunnel(rows: Rows, window: PlainWindow, ladder: readonly PlainStage[], shown?: readonly string[]) {
  const stages = ladder.filter(({ name }) => !shown || shown.includes(name));
  const counts = stages.map(
    (stage) =>
      new Set(
        inside(rows, window)
          .filter((row) => stageOf(ladder, row.environment) === stage)
          .map((row) => row.deployment_id),
      ).size,
  );
  return stages.map(({ name: environment }, index) => {
    const count = counts[index] as number;
    const next = counts[index + 1];
    return { environment, count, conversion: next === undefined || count === 0 ? null : next / count };
  });
}

export function plainDistribution(rows: Rows, window: PlainWindow) {
  return statuses.map((status) => ({ status, count: withStatus(inside(rows, window), status).length }));
}

export function plainHeatmap(rows: Rows, window: PlainWindow) {
  const cells: { day_of_week: number; hour: number; count: number }[] = [];
  for (let day = 0; day < 7; day++) {
    for (let hour = 0; hour < 24; hour++) {
      const count = inside(rows, window).filter((row) => {
        const at = new Date(row.happened_at);
        return at.getUTCDay() === day && at.getUTCHours() === hour;
      }).length;
      if (count > 0) cells.push({ day_of_week: day, hour, count });
    }
  }
  return cells;
}

export function plainDeployers(rows: Rows, window: PlainWindow, limit: number) {
  const actors = distinct(inside(rows, window).map((row) => row.actor || 'unknown'));
  return actors
    .map((actor) => ({ actor, count: inside(rows, window).filter((row) => (row.actor || 'unknown') === actor).length }))
    .sort((left, right) => right.count - left.count || actors.indexOf(left.actor) - actors.indexOf(right.actor))
    .slice(0, limit);
}

interface PlainIncident {
  readonly service: string;
  readonly environment: string;
  readonly failed: DeploymentEvent;
  readonly restored: DeploymentEvent | undefined;
  readonly minutes: number | null;
}

/** Reads the whole log of each slot in order, and records where incidents start and end. */
function incidents(rows: Rows, window: PlainWindow): PlainIncident[] {
  const found: PlainIncident[] = [];
  for (const slot of groups(rows, (row) => JSON.stringify([row.service, row.environment]))) {
    let open: DeploymentEvent | undefined;
    const close = (restored: DeploymentEvent | undefined) => {
      if (!open) return;
      const minutes = restored ? Number(micros(restored) - micros(open)) / Number(minuteMicros) : null;
      found.push({ service: open.service, environment: open.environment, failed: open, restored, minutes });
      open = undefined;
    };
    for (const row of oldestFirst(slot)) {
      if (row.status === 'success') close(row);
      if (row.status === 'failure' && inside([row], window).length === 1) open ??= row;
    }
    close(undefined);
  }
  return found;
}

export function plainIncidents(rows: Rows, window: PlainWindow, limit: number) {
  const places = distinct(rows.flatMap((row) => [row.service, row.environment]));
  const length = (minutes: number | null) => minutes ?? Number.POSITIVE_INFINITY;
  return incidents(rows, window)
    .sort((left, right) => {
      if (length(left.minutes) !== length(right.minutes)) return length(right.minutes) - length(left.minutes);
      const apart = micros(right.failed) - micros(left.failed);
      if (apart !== 0n) return apart > 0n ? 1 : -1;
      const byPlace = (name: 'service' | 'environment') => places.indexOf(left[name]) - places.indexOf(right[name]);
      return byPlace('service') || byPlace('environment');
    })
    .slice(0, limit)
    .map(({ service, environment, failed, restored, minutes }) => ({
      service,
      environment,
      failed_at: micros(failed),
      restored_at: restored ? micros(restored) : null,
      duration_minutes: minutes,
      severity:
        minutes === null || minutes > 1440 ? 'critical' : minutes > 240 ? 'high' : minutes > 60 ? 'medium' : 'low',
    }));
}

/** For each success in production with parents, the hours since the earliest row of its ancestors. */
function leadTimes(rows: Rows, window: PlainWindow, ladder: readonly PlainStage[]) {
  return inside(rows, window)
    .filter((row) => row.status === 'success' && stageOf(ladder, row.environment) === ladder.at(-1))
    .flatMap((row) => {
      const seen = new Set<string>();
      const visit = (id: string) => {
        if (seen.has(id)) return;
        seen.add(id);
        for (const other of rows.filter((candidate) => candidate.deployment_id === id)) {
          for (const parent of other.parent_deployments ?? []) visit(parent);
        }
      };
      for (const parent of row.parent_deployments ?? []) visit(parent);
      const [first] = oldestFirst(rows.filter((candidate) => seen.has(candidate.deployment_id)));
      const value = first ? Number(micros(row) - micros(first)) / 3_600_000_000 : 0;
      return value > 0 ? [{ row, value }] : [];
    });
}

export function plainDora(rows: Rows, window: PlainWindow, ladder: readonly PlainStage[]) {
  const halfDays = Math.floor(window.days / 2);
  const begin = window.isPeriod ? Math.floor(start(window.from) / dayMs) * dayMs : start(window.from);
  const middle = BigInt(begin + halfDays * dayMs) * 1000n;
  const isPrior = (row: DeploymentEvent) => micros(row) < middle;
  const counted = terminal(inside(rows, window));
  const delta = (prior: number | null, current: number | null) =>
    prior === null || current === null || prior === 0 ? null : (current - prior) / prior;
  const fromSamples = (samples: readonly { row: DeploymentEvent; value: number }[]) => ({
    value: median(samples.map(({ value }) => value)),
    trend_delta: delta(
      median(samples.filter(({ row }) => isPrior(row)).map(({ value }) => value)),
      median(samples.filter(({ row }) => !isPrior(row)).map(({ value }) => value)),
    ),
    sparkline: dates(window).map((date) =>
      median(samples.filter(({ row }) => dateOf(row) === date).map(({ value }) => value)),
    ),
  });
  const lead = fromSamples(leadTimes(rows, window, ladder));
  const restore = fromSamples(
    incidents(rows, window).flatMap(({ failed, minutes }) =>
      minutes === null ? [] : [{ row: failed, value: minutes }],
    ),
  );
  const isOpen = incidents(rows, window).some(({ minutes }) => minutes === null);
  const frequency = counted.length / window.days;
  const failures = rate(counted);
  const prior = counted.filter(isPrior);
  const current = counted.filter((row) => !isPrior(row));
  return {
    deployment_frequency: {
      value: frequency,
      unit: 'per_day',
      classification: frequency >= 1 ? 'elite' : frequency >= 1 / 7 ? 'high' : frequency >= 1 / 30 ? 'medium' : 'low',
      trend_delta: delta(
        halfDays === 0 ? null : prior.length / halfDays,
        halfDays === window.days ? null : current.length / (window.days - halfDays),
      ),
      sparkline: dates(window).map((date) => counted.filter((row) => dateOf(row) === date).length),
      approximated: false,
    },
    lead_time: {
      ...lead,
      unit: 'hours',
      classification: lead.value === null ? 'low' : band(lead.value, 24, 168, 4320),
      approximated: true,
    },
    change_failure_rate: {
      value: failures,
      unit: 'ratio',
      classification:
        failures === null || failures <= 0.15
          ? 'elite'
          : failures <= 0.3
            ? 'high'
            : failures <= 0.45
              ? 'medium'
              : 'low',
      trend_delta: delta(rate(prior), rate(current)),
      sparkline: plainFailureRates(rows, window).map((bucket) => bucket.rate),
      approximated: false,
    },
    time_to_restore: {
      ...restore,
      unit: 'minutes',
      classification: restore.value === null ? (isOpen ? 'low' : 'elite') : band(restore.value, 60, 1440, 10_080),
      approximated: false,
    },
  };
}

function band(value: number, elite: number, high: number, medium: number): string {
  return value <= elite ? 'elite' : value <= high ? 'high' : value <= medium ? 'medium' : 'low';
}
