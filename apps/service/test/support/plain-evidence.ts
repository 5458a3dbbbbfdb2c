import type { Client } from '@shiplog/client';
import type { DeploymentEvent, EvidenceFigure, EvidenceItem, EvidenceReport } from '@shiplog/contract';
import { micros, newestFirst } from '@shiplog/testing';
import type { AskedFigures } from './analytics-history.ts';
import { groups, inside, median, minuteMicros, oldestFirst, type PlainWindow, type Rows } from './plain-analytics.ts';
import { plainStability, plainSuccesses } from './plain-stability.ts';
import { type PlainStage, stageOf } from './plain-stage.ts';
import { plainStages } from './plain-stages.ts';

/** An item of evidence with rows instead of ids. `reason` is `null` for items that are simply counted. */
export interface PlainItem {
  readonly rows: readonly [about: DeploymentEvent, ...others: DeploymentEvent[]];
  readonly value: number | null;
  readonly reason: string | null;
  readonly counted: boolean;
}

interface Asked {
  readonly rows: Rows;
  readonly window: PlainWindow;
  readonly ladder: readonly PlainStage[];
  /** The names of the stages that a scope includes. */
  readonly shown: readonly string[];
}

const slotOf = (row: DeploymentEvent) => JSON.stringify([row.service, row.environment]);
const minutesBetween = (first: DeploymentEvent, last: DeploymentEvent) =>
  Number(micros(last) - micros(first)) / Number(minuteMicros);
const isIn = (row: DeploymentEvent, window: PlainWindow) => inside([row], window).length === 1;

function item(
  rows: PlainItem['rows'],
  reason: string | null,
  value: number | null,
  counted = reason === null,
): PlainItem {
  return { rows, value, reason, counted };
}

function terminalRows({ rows, window }: Asked, valueFor: (row: DeploymentEvent) => number): PlainItem[] {
  return inside(rows, window).map((row) =>
    row.status === 'success' || row.status === 'failure'
      ? item([row], null, valueFor(row))
      : item([row], 'not-terminal', null),
  );
}

/** All rows of all deployments that can be reached from a row through its parents. */
function way(row: DeploymentEvent, rows: Rows): DeploymentEvent[] {
  const found: DeploymentEvent[] = [];
  const seen = new Set<string>();
  const open = [...(row.parent_deployments ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const own = rows.filter((other) => other.deployment_id === id);
    found.push(...own);
    open.push(...own.flatMap((other) => other.parent_deployments ?? []));
  }
  return found;
}

function leadTimes({ rows, window, ladder }: Asked): PlainItem[] {
  return inside(rows, window)
    .filter(({ status }) => status === 'success')
    .map((row) => {
      if (stageOf(ladder, row.environment) !== ladder.at(-1)) return item([row], 'not-production', null);
      if (!row.parent_deployments?.length) return item([row], 'no-parents', null);
      const [earliest] = oldestFirst(way(row, rows));
      if (!earliest) return item([row], 'unknown-parent', null);
      const hours = minutesBetween(earliest, row) / 60;
      const own: PlainItem['rows'] = earliest.id === row.id ? [row] : [row, earliest];
      return item(own, hours > 0 ? null : 'not-positive', hours);
    });
}

function incidents({ rows, window }: Asked, openCounts: boolean): PlainItem[] {
  const found: PlainItem[] = [];
  for (const slot of groups(rows, slotOf)) {
    const ordered = oldestFirst(slot);
    let isOpen = false;
    for (const [index, row] of ordered.entries()) {
      if (row.status === 'success') isOpen = false;
      if (row.status !== 'failure' || !isIn(row, window)) continue;
      const restored = ordered.slice(index).find(({ status }) => status === 'success');
      if (isOpen) found.push(item([row], 'repeated-failure', null));
      else if (restored) found.push(item([row, restored], null, minutesBetween(row, restored)));
      else found.push(item([row], 'open', null, openCounts));
      isOpen = true;
    }
  }
  return found;
}

function durations({ rows, window }: Asked): PlainItem[] {
  return groups(rows, (row) => row.deployment_id).flatMap((group) => {
    const [first, ...later] = oldestFirst(group) as [DeploymentEvent, ...DeploymentEvent[]];
    const last = later.at(-1) ?? first;
    if (!isIn(last, window)) return [];
    if (later.length === 0) return [item([last], 'single-row', null)];
    return [item([last, first], null, minutesBetween(first, last))];
  });
}

function funnel({ rows, window, ladder, shown }: Asked): PlainItem[] {
  const nameOf = (row: DeploymentEvent) => stageOf(ladder, row.environment)?.name;
  const placeOf = (row: DeploymentEvent) =>
    JSON.stringify([row.deployment_id, nameOf(row) ?? ['none', row.environment]]);
  return groups(inside(rows, window), placeOf).map((group) => {
    const ordered = oldestFirst(group) as [DeploymentEvent, ...DeploymentEvent[]];
    const isShown = shown.includes(nameOf(ordered[0]) ?? '');
    return isShown ? item(ordered, null, 1) : item(ordered, 'outside-ladder', null);
  });
}

function runs({ rows, window }: Asked): PlainItem[] {
  const before = ['pending', 'queued', 'waiting', 'in-progress'];
  return groups(rows, (row) => `${slotOf(row)} ${row.deployment_id}`).flatMap((group) => {
    const ordered = oldestFirst(group);
    return ordered.flatMap((row, index) => {
      if (!before.includes(row.status) || ordered[index - 1]?.status === row.status || !isIn(row, window)) return [];
      const end = ordered.slice(index).find(({ status }) => status !== row.status);
      return end ? [item([row, end], null, minutesBetween(row, end))] : [item([row], 'open', null)];
    });
  });
}

function rollbacks({ rows, window }: Asked): PlainItem[] {
  return plainSuccesses(rows, window).map(({ row, release, rollback }) => {
    if (rollback) return item([row, ...rollback], null, 1);
    return item([row], release === undefined ? 'no-release' : 'no-rollback', null);
  });
}

function rework({ rows, window }: Asked): PlainItem[] {
  return plainSuccesses(rows, window).map(({ row, rollback, failure }) => {
    if (!rollback && !failure) return item([row], 'no-rework', null);
    return item([row, ...(failure ? [failure] : []), ...(rollback ?? [])], null, 1);
  });
}

type Value = EvidenceReport['value'];

/** A figure as defined by questions.md 4 and 12.4. */
interface PlainFigure {
  readonly items: (asked: Asked) => PlainItem[];
  /** Computes the figure from its counted items. By default, it is their number. */
  readonly value?: (
    counted: readonly EvidenceItem[],
    asked: Pick<Asked, 'ladder' | 'shown'> & { readonly days: number },
  ) => Value;
  /** The response of the endpoint for this figure. */
  readonly own: (client: Client, query: AskedFigures) => Promise<Value>;
}

function percentiles(items: readonly EvidenceItem[]) {
  const sorted = items.flatMap(({ value }) => value ?? []).sort((one, other) => one - other);
  return { p50: median(sorted), p95: sorted[Math.ceil(0.95 * sorted.length) - 1] ?? null };
}

const key =
  (name: 'deployment_frequency' | 'lead_time' | 'change_failure_rate' | 'time_to_restore') =>
  async (client: Client, query: AskedFigures) =>
    (await client.getDora({ query })).body[name].value;
const stability = (name: 'rollbacks' | 'rework') => async (client: Client, query: AskedFigures) =>
  (await client.getStability({ query })).body[name].count;

const figures: { readonly [Figure in EvidenceFigure]: PlainFigure } = {
  deployment_frequency: {
    items: (asked) => terminalRows(asked, () => 1),
    value: (counted, { days }) => counted.length / days,
    own: key('deployment_frequency'),
  },
  change_failure_rate: {
    items: (asked) => terminalRows(asked, ({ status }) => (status === 'failure' ? 1 : 0)),
    value: (counted) =>
      counted.length === 0 ? null : counted.filter(({ value }) => value === 1).length / counted.length,
    own: key('change_failure_rate'),
  },
  lead_time: { items: leadTimes, value: (counted) => percentiles(counted).p50, own: key('lead_time') },
  time_to_restore: {
    items: (asked) => incidents(asked, false),
    value: (counted) => percentiles(counted).p50,
    own: key('time_to_restore'),
  },
  incidents: {
    items: (asked) => incidents(asked, true),
    own: async (client, query) =>
      (await client.getIncidents({ query: { ...query, limit: 100 } })).body.incidents.length,
  },
  durations: {
    items: durations,
    value: percentiles,
    own: async (client, query) => {
      const { p50, p95 } = (await client.getDurationHistogram({ query })).body;
      return { p50, p95 };
    },
  },
  promotion_funnel: {
    items: funnel,
    value: (counted, { ladder, shown }) =>
      Object.fromEntries(
        shown.map((stage) => [
          stage,
          counted.filter(({ environment }) => stageOf(ladder, environment ?? '')?.name === stage).length,
        ]),
      ),
    own: async (client, query) => {
      const { stages } = (await client.getPromotionFunnel({ query })).body;
      return Object.fromEntries(stages.map(({ environment, count }) => [environment, count]));
    },
  },
  stages: {
    items: runs,
    value: (counted) =>
      Object.fromEntries(
        ['pending', 'queued', 'waiting', 'in-progress'].map((status) => [
          status,
          percentiles(counted.filter((item) => item.status === status)),
        ]),
      ),
    own: async (client, query) => {
      const { stages } = (await client.getStages({ query })).body;
      return Object.fromEntries(stages.map(({ status, p50, p95 }) => [status, { p50, p95 }]));
    },
  },
  rollbacks: { items: rollbacks, own: stability('rollbacks') },
  rework: { items: rework, own: stability('rework') },
};

/** The figures that have a separate plain model. */
export const plainAnswers = { getStages: plainStages, getStability: plainStability };

/** The items of a figure, newest first. */
export function plainEvidence(figure: EvidenceFigure, asked: Asked): PlainItem[] {
  const items = figures[figure].items(asked);
  const order = newestFirst(items.map(({ rows: [about] }) => about)).map(({ id }) => id);
  return items.toSorted((one, other) => order.indexOf(one.rows[0].id) - order.indexOf(other.rows[0].id));
}

/** A figure computed from the counted items of its evidence (questions.md 4.4). */
export function recomputed(
  { figure, items, window: { days } }: EvidenceReport,
  stages: Pick<Asked, 'ladder' | 'shown'>,
): Value {
  const counted = items.filter((item) => item.counted);
  const { value = ({ length }) => length } = figures[figure as EvidenceFigure];
  return value(counted, { ...stages, days });
}

export function ownValue(client: Client, figure: EvidenceFigure, query: AskedFigures): Promise<Value> {
  return figures[figure].own(client, query);
}
