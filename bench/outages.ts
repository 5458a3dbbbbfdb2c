import { createClient } from '@shiplog/client';
import { endpoints } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { fillAndBuild } from './harness/fill.ts';
import { changeLog, firstAnswerMs, okMs } from './harness/http.ts';
import type { Outcome } from './harness/outcome.ts';
import { keys, openStage, type Stage } from './harness/stage.ts';

const rounds = 7;
const days = 30;
const services = 100;
const environments = 10;
const outageCount = 10_000;
const holdCount = 200;
/** As many as a company may have at once. */
const inForce = 20;
const atOnce = 8;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const last = `env-${environments - 1}`;
const period = () => `from=${at(-days * dayMs)}&to=${at(0)}`;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Figures about 10,000 outages in a log of a million events (outages.md 6), and lists of holds (holds.md 5). */
export async function outages(): Promise<Outcome> {
  const order = Array.from({ length: environments }, (_, index) => `env-${index}`).join(',');
  const stage = await openStage({ ANALYTICS_FUNNEL_ENVIRONMENTS: order });
  try {
    await fillAndBuild(stage, { rows: 1_000_000, days, services, environments });
    await report(stage);
    const figures = `${endpoints.getOutageFigures.path}?window=30d`;
    await firstAnswerMs(stage, figures);
    const measures: readonly (readonly [title: string, measure: () => Promise<number>, atMost: number])[] = [
      ['figures of 10,000 outages, first response after an event', () => firstAnswerMs(stage, figures), 500],
      ['figures of 10,000 outages, from current folds', () => folded(stage, figures), 50],
      ['list of outages', () => okMs(`${stage.url}${endpoints.listOutages.path}?${period()}`), 50],
      ['list of holds', () => okMs(`${stage.url}${endpoints.listHolds.path}`), 5],
      ['breaches of 30 days', () => okMs(`${stage.url}${endpoints.listBreaches.path}?${period()}`), 100],
    ];
    const outcome: Figure[] = [];
    for (const [title, measure, atMost] of measures) {
      const measured: number[] = [];
      for (let round = 0; round < rounds; round += 1) measured.push(await measure());
      outcome.push({ goal: 'outages', title, measured, unit: 'ms', reach: { atMost } });
    }
    return { figures: outcome };
  } finally {
    await stage.close();
  }
}

/** The response time once the folds are up to date. */
async function folded(stage: Stage, path: string): Promise<number> {
  await changeLog(stage);
  await okMs(`${stage.url}${endpoints.getFrequency.path}?window=30d`);
  return okMs(stage.url + path);
}

/** Posts outages of one service each, a tenth with a named release, and holds. */
async function report(stage: Stage): Promise<void> {
  const client = createClient({ baseUrl: stage.url, keys });
  const spanMs = (days - 1) * dayMs;
  let next = 0;
  const post = async () => {
    for (let index = next++; index < outageCount; index = next++) {
      const openedMs = -spanMs + (index * spanMs) / outageCount;
      const service = `service-${index % services}`;
      const row = { source: 'bench', outage_id: `o-${index}`, services: [service], environments: [last] };
      const cause = index % 10 === 0 ? { caused_by: { service, version: '1.0.1' } } : {};
      await client.appendOutage({ body: { ...row, ...cause, state: 'opened', happened_at: at(openedMs) } });
      await client.appendOutage({ body: { ...row, state: 'resolved', happened_at: at(openedMs + hourMs) } });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, post));
  // A hold can't be created in the past, so a month of holds is moved there.
  for (let index = 0; index < holdCount; index += 1) {
    const kind = index % 2 === 0 ? ('freeze' as const) : ('lock' as const);
    await client.makeHold({
      body: {
        kind,
        services: [`service-${index % services}`],
        environments: [last],
        until: at(hourMs),
        reason: 'bench',
      },
    });
  }
  await stage.sql.query(
    `update holds set begins_at = begins_at - n * interval '3 hours', ends_at = ends_at - n * interval '3 hours'
     from (select id, row_number() over (order by id) - $1 as n from holds) numbered
     where numbered.id = holds.id and n > 0`,
    [inForce],
  );
}
