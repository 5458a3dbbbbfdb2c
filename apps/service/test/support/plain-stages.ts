import { byCodePoint, type DeploymentEvent } from '@shiplog/contract';
import { distinct, micros } from '@shiplog/testing';
import { groups, inside, median, minuteMicros, oldestFirst, type PlainWindow, type Rows } from './plain-analytics.ts';

interface PlainRun {
  readonly first: DeploymentEvent;
  readonly minutes: number;
}

/** By deployment and slot, the completed runs of each non-final status that began in the window. */
function runs(rows: Rows, window: PlainWindow): PlainRun[] {
  const found: PlainRun[] = [];
  const waiting = ['pending', 'queued', 'waiting', 'in-progress'];
  for (const group of groups(rows, (row) => JSON.stringify([row.deployment_id, row.service, row.environment]))) {
    const ordered = oldestFirst(group);
    for (const [index, first] of ordered.entries()) {
      if (ordered[index - 1]?.status === first.status || !waiting.includes(first.status)) continue;
      const end = ordered.slice(index).find((row) => row.status !== first.status);
      if (!end || inside([first], window).length === 0) continue;
      found.push({ first, minutes: Number(micros(end) - micros(first)) / Number(minuteMicros) });
    }
  }
  return found;
}

export function plainStages(rows: Rows, window: PlainWindow) {
  const all = runs(rows, window);
  const figures = (some: readonly PlainRun[]) => {
    const minutes = some.map((run) => run.minutes).sort((left, right) => left - right);
    return { count: minutes.length, p50: median(minutes), p95: minutes[Math.ceil(0.95 * minutes.length) - 1] ?? null };
  };
  const order = ['pending', 'queued', 'waiting', 'in-progress'];
  const stages = order.map((status) => {
    const some = all.filter(({ first }) => first.status === status);
    return { status, ...figures(some), total_minutes: some.reduce((sum, { minutes }) => sum + minutes, 0) };
  });
  const places = distinct(all.map(({ first }) => JSON.stringify([first.service, first.environment, first.status])));
  const slowest = places
    .map((place) => {
      const [service = '', environment = '', status = ''] = JSON.parse(place) as string[];
      const some = all.filter(
        ({ first }) => JSON.stringify([first.service, first.environment, first.status]) === place,
      );
      return { service, environment, status, ...figures(some) };
    })
    .filter(({ count }) => count >= 3)
    .sort(
      (left, right) =>
        (right.p95 ?? 0) - (left.p95 ?? 0) ||
        byCodePoint(left.service, right.service) ||
        byCodePoint(left.environment, right.environment) ||
        order.indexOf(left.status) - order.indexOf(right.status),
    )
    .slice(0, 10);
  return { stages, slowest };
}
