import { writeFileSync } from 'node:fs';
import type { DeploymentEvent } from '@shiplog/contract';
import { anEvent, emptyLog, fileFolder, runs } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aligned } from './support/aligned.ts';
import { compared, drawnEvent, placed } from './support/analytics-history.ts';
import { ladderServices } from './support/ladder-services.ts';
import { ladders, shownStages } from './support/plain-stage.ts';
import { plainStages } from './support/plain-stages.ts';
import { storedEvents } from './support/stored.ts';

const dayMs = 86_400_000;

/** A catalog and its entries. */
const catalog = 'services: [{ name: a?i, team: one }, { name: "*", team: two }, { name: api, team: three }]';
const teamOf = ({ service }: DeploymentEvent) => (service === 'api' ? 'one' : 'two');

const pathOf = fileFolder();
const log = ladderServices(ladders, () => {
  const catalogFile = pathOf('catalog.yaml');
  writeFileSync(catalogFile, catalog);
  return { catalogFile };
});

/** Matches a glob character by character (questions.md 2.1). */
function matches([first, ...glob]: readonly string[], [character, ...name]: readonly string[]): boolean {
  if (first === undefined) return character === undefined;
  if (first === '*')
    return (
      matches(glob, character === undefined ? [] : [character, ...name]) ||
      (character !== undefined && matches(['*', ...glob], name))
    );
  if (character === undefined) return false;
  if (first === '\\') return glob[0] === character && matches(glob.slice(1), name);
  return (first === '?' || first === character) && matches(glob, name);
}

const anyMatches = (globs: readonly string[] | undefined, name: string) =>
  globs === undefined || globs.some((glob) => matches([...glob], [...name]));

const globs = (...some: string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...some), { minLength: 1, maxLength: 2 }), { nil: undefined });

const question = fc.record({
  at: fc.nat(ladders.length - 1),
  drawn: fc.array(drawnEvent, { minLength: 0, maxLength: 24, size: 'max' }),
  services: globs('api', 'a*', '???', 'w\\eb', '%', 'API', '*'),
  teams: globs('one', 'two', 'three'),
  environments: globs('prod', 'PROD', '?rod', '*ta*', 'Staging', 'd_v', 'nowhere', '*'),
  period: fc.option(
    fc.record({
      daysAgo: fc.integer({ min: 0, max: 9 }),
      minutes: fc.constantFrom(0, 1, 60, 61, 1439, 5000, 12_000),
      offset: fc.constantFrom(0, 1, 30, 60, 719),
      fraction: fc.constantFrom('Z', '.000001Z', '.5Z'),
    }),
    { nil: undefined },
  ),
});

test('figures for any scope and period equal those of the plain model for the selected rows', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ at, drawn, services, teams, environments, period }) => {
      const client = log.clientAt(at);
      const ladder = ladders[at] ?? [];
      await emptyLog(log.databaseUrl);
      const { window } = (await client.getFrequency({ query: { window: '7d' } })).body;
      await appendAll(
        log.databaseUrl,
        drawn.map((event) => placed(event, window)),
      );
      const scope = { ...(services && { services }), ...(teams && { teams }), ...(environments && { environments }) };
      const span = period && spanOf(period, Date.parse(window.to));
      const query = { ...(span ?? { window: '7d' }), ...scope };
      if (span) await appendAll(log.databaseUrl, atEdges(span));
      const rows = await storedEvents(log.databaseUrl);
      const includes = (row: DeploymentEvent) =>
        (teams?.includes(teamOf(row)) || anyMatches(services ?? teams?.slice(0, 0), row.service)) &&
        anyMatches(environments, row.environment);
      const shown = environments && shownStages(ladder, rows, (name) => anyMatches(environments, name));
      const { said, due } = await compared(query, { client, ladder, ...(shown && { shown }), rows, includes });
      expect(said).toEqual(aligned(due, said));
      const { scope: told } = (await client.getHeatmap({ query })).body;
      const wanted = { services: services ?? [], environments: environments ?? [], ...(teams && { teams }) };
      expect(told).toEqual(services || environments || teams ? wanted : undefined);
    }),
    { numRuns: runs(10), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});

/** The start of a period is inclusive, and its end is exclusive. */
function atEdges({ from, to }: { readonly from: string; readonly to: string }) {
  return [from, to].flatMap((happened_at) =>
    (['success', 'failure'] as const).map((status) =>
      anEvent({ service: 'api', environment: 'PROD', status, happened_at }),
    ),
  );
}

interface Drawn {
  readonly daysAgo: number;
  readonly minutes: number;
  readonly offset: number;
  readonly fraction: string;
}

/** A period that ends this many days and minutes before the end of the current day. */
function spanOf({ daysAgo, minutes, offset, fraction }: Drawn, todayMs: number): { from: string; to: string } {
  const endMs = todayMs + dayMs - daysAgo * dayMs - offset * 60_000;
  const text = (ms: number, end: string) => new Date(ms).toISOString().replace('.000Z', end);
  return { from: text(endMs - (minutes + 1) * 60_000, fraction), to: text(endMs, 'Z') };
}

test('times in each status equal those of the plain model for any scope and period', {
  timeout: 600_000,
}, async () => {
  const client = log.clientAt(0);
  const often = drawnEvent.map((event) => ({ ...event, deployment: event.deployment.replace(/[cde]/, 'b') }));
  const waiting = fc.record({
    drawn: fc.array(often, { minLength: 4, maxLength: 40, size: 'max' }),
    services: globs('api', '*'),
    period: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(waiting, async ({ drawn, services, period }) => {
      await emptyLog(log.databaseUrl);
      const { window } = (await client.getFrequency({ query: { window: '7d' } })).body;
      const late = ['pending', 'queued', 'waiting', 'in-progress'] as const;
      const events = drawn.map((event, at) =>
        placed({ ...event, environment: 'prod', status: at % 3 ? (late[at % 4] ?? 'queued') : event.status }, window),
      );
      await appendAll(log.databaseUrl, events);
      const rows = await storedEvents(log.databaseUrl);
      const query = {
        ...(period ? { from: window.from, to: new Date().toISOString() } : { window: '7d' }),
        ...(services && { services }),
      };
      const { body } = await client.getStages({ query });
      const includes = (row: DeploymentEvent) => anyMatches(services, row.service);
      const due = plainStages(rows, { ...body.window, isPeriod: period, includes });
      const { stages, slowest } = body;
      expect({ stages }).toEqual(aligned({ stages: due.stages }, { stages }));
      // The model does not order ties.
      const byPlace = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
      expect(slowest.map(({ p95 }) => p95)).toEqual(
        slowest.map(({ p95 }) => p95).sort((one, other) => (other ?? 0) - (one ?? 0)),
      );
      const [said, wanted] = [slowest.toSorted(byPlace), due.slowest.toSorted(byPlace)];
      expect(said).toEqual(aligned(wanted, said));
    }),
    { numRuns: runs(10), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});
