import type { Client } from '@shiplog/client';
import {
  type Change,
  type ChangesPage,
  type DeploymentEvent,
  type EvidenceFigure,
  evidenceFigures,
  findingKinds,
  logFindingKinds,
  type NetChange,
  type Release,
} from '@shiplog/contract';
import { micros, plainMatrix } from '@shiplog/testing';
import { expect } from 'vitest';
import { aligned } from './aligned.ts';
import { type AskedFigures, compared } from './analytics-history.ts';
import { instantOf, type Question } from './history.ts';
import { plainBoardFacts, plainRow } from './plain-board-facts.ts';
import { plainBuckets, plainChanges, plainCounts, plainNet } from './plain-changes.ts';
import { plainDiff } from './plain-environments-diff.ts';
import { ownValue, plainAnswers, plainEvidence, recomputed } from './plain-evidence.ts';
import { plainEmitters, plainFindings } from './plain-quality.ts';
import { isFound, plainReleases } from './plain-releases.ts';
import { type PlainStage, shownStages } from './plain-stage.ts';
import { readEvidence } from './read-evidence.ts';

/** What an answer depends on: the rows of the log, the clock, the settings and the question. */
export interface Moment {
  readonly client: Client;
  readonly ladder: readonly PlainStage[];
  readonly rows: readonly DeploymentEvent[];
  readonly nowMs: number;
  readonly question: Question;
}

export type Part = (moment: Moment) => Promise<void>;

/** Each compares some answers with their plain models. */
export const parts: readonly Part[] = [
  reports,
  ...evidenceFigures.map(
    (figure): Part =>
      (moment) =>
        evidence(figure, moment),
  ),
  releases,
  differences,
  quality,
  boardFacts,
  changes,
  matrices,
];

const minuteMs = 60_000;

/** The window and the scope of a question, and those of the model. */
function asked({ question: { scope, window, period }, ladder, rows, nowMs }: Moment) {
  const dayMs = 1440 * minuteMs;
  const endMs = (Math.floor(nowMs / dayMs) + 1) * dayMs - (period?.end ?? 0) * minuteMs;
  const text = (ms: number) => new Date(ms).toISOString();
  const query: AskedFigures = {
    ...(period ? { from: text(endMs - period.length * minuteMs), to: text(endMs) } : { window }),
    ...scope.query,
  };
  const { includes } = scope;
  const shown =
    scope.query.environments === undefined
      ? ladder.map(({ name }) => name)
      : // Every scope with environments includes the service "api".
        shownStages(ladder, rows, (environment) => includes?.({ service: 'api', environment }) ?? true);
  return { query, shown, includes, isPeriod: period !== undefined };
}

async function reports(moment: Moment): Promise<void> {
  const { client, rows } = moment;
  const { query, shown, includes, isPeriod } = asked(moment);
  const { said, due } = await compared(query, { ...moment, shown, ...(includes && { includes }) });
  expect(said).toEqual(aligned(due, said));
  for (const [name, model] of Object.entries(plainAnswers)) {
    const { body } = await client[name as keyof typeof plainAnswers]({ query });
    const { window, scope: _, ...answer } = body;
    expect(answer).toEqual(aligned(model(rows, { ...window, isPeriod, ...(includes && { includes }) }), answer));
  }
}

async function evidence(figure: EvidenceFigure, moment: Moment): Promise<void> {
  const { client, rows, ladder } = moment;
  const { limit, counted } = moment.question;
  const { query, shown, includes, isPeriod } = asked(moment);
  const said = await readEvidence(client, figure, query, { limit });
  const window = { ...said.window, isPeriod, ...(includes && { includes }) };
  const due = plainEvidence(figure, { rows, window, ladder, shown }).map(
    ({ rows: [about, ...others], value, reason, counted }) => ({
      ...{ service: about.service, environment: about.environment, deployment_id: about.deployment_id },
      ...(figure === 'stages' && { status: about.status }),
      ...{ at: about.happened_at, value, counted, reason },
      event_ids: [about, ...others].map(({ id }) => id),
    }),
  );
  expect(said.items).toEqual(aligned(due, said.items));
  expect(said.value).toEqual(recomputed(said, { ladder, shown }));
  expect(said.value).toEqual(await ownValue(client, figure, query));
  expect(said.counted).toBe(due.filter(({ counted }) => counted).length);
  const reasons = due.filter(({ counted }) => !counted).map(({ reason }) => reason);
  const leftOut = said.left_out.flatMap(({ reason, count }) => Array(count).fill(reason));
  expect(leftOut.sort()).toEqual(reasons.sort());
  const narrowed = await readEvidence(client, figure, query, { limit, counted: `${counted}` });
  expect(narrowed).toEqual({ ...said, items: said.items.filter((item) => item.counted === counted) });
}

async function releases({ client, rows, question: { limit, searches } }: Moment): Promise<void> {
  const listed = async (query: { service?: string; q?: string }): Promise<Release[]> => {
    const items: Release[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { body } = await client.listReleases({ query: { ...query, limit, ...(cursor && { cursor }) } });
      items.push(...body.items);
      cursor = body.next_cursor;
    }
    return items;
  };
  const plain = plainReleases(rows);
  const due = plain.map(({ item }) => item);
  expect(await listed({})).toEqual(due);
  expect(await listed({ service: 'a/é' })).toEqual(due.filter((item) => item.service === 'a/é'));
  for (const q of searches) {
    const found = plain.filter(({ item, events }) => isFound(q, item.version, events));
    expect({ q, items: await listed({ q }) }).toEqual({ q, items: found.map(({ item }) => item) });
  }
  for (const { item, events, replaced } of plain) {
    const name = item.version ?? item.sha ?? '';
    const isHidden = item.version === null && due.some((of) => of.service === item.service && of.version === name);
    const { body } = await client.getRelease({ params: { service: item.service, version: name } });
    if (!isHidden) expect(body).toEqual({ ...item, events, replaced });
  }
}

const mirrored: Record<string, string> = {
  ...{ ahead: 'behind', behind: 'ahead', 'only-from': 'only-to', 'only-to': 'only-from' },
};

/** The rows that count at a time; all of them at a time after now (questions.md 12.7). */
function rowsAt(rows: Moment['rows'], at: string | undefined, nowMs: number): Moment['rows'] {
  const until = at === undefined ? undefined : micros({ happened_at: at });
  if (until === undefined || until > BigInt(nowMs) * 1000n) return rows;
  return rows.filter((row) => micros(row) <= until);
}

/** Swapping the environments mirrors the difference. */
async function differences({ client, rows, nowMs, question: { edges } }: Moment): Promise<void> {
  const [edge] = edges;
  const [from, to] = ['Staging', 'PROD'];
  for (const at of [undefined, rows[edge % rows.length]?.happened_at]) {
    const then = rowsAt(rows, at, nowMs);
    const query = at === undefined ? {} : { at };
    const { body: there } = await client.diffEnvironments({ query: { from, to, ...query } });
    expect(there).toEqual({ from, to, at: at ?? null, ...plainDiff(then, from, to) });
    const { body: back } = await client.diffEnvironments({ query: { from: to, to: from, ...query } });
    const relations = there.items.map((item) => [item.service, mirrored[item.relation] ?? item.relation]);
    expect(back.items.map((item) => [item.service, item.relation])).toEqual(relations);
    expect(back.items.map((item) => [item.from, item.to])).toEqual(there.items.map((item) => [item.to, item.from]));
  }
}

async function quality({ client, rows, nowMs, question: { scope, limit } }: Moment): Promise<void> {
  const { body } = await client.getQuality({ query: { ...scope.query, limit: 500 } });
  const plain = rows.map(plainRow);
  expect(body.emitters).toEqual(plainEmitters(plain, nowMs));
  const due = plainFindings(plain, nowMs, scope.includes ?? (() => true));
  const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  const said = body.findings.map(({ detail: _, kind, service, environment, count, event_id, ...more }) => ({
    ...{ kind, service, environment, count, event_id },
    ...more,
  }));
  expect(said.toSorted(byText)).toEqual(due.toSorted(byText));
  const order = said.map(({ kind, count }) => [findingKinds.indexOf(kind), -count] as const);
  expect(order).toEqual(order.toSorted(([kind, count], [other, less]) => kind - other || count - less));
  for (const kind of logFindingKinds) expect(body.counts[kind]).toBe(due.filter((one) => one.kind === kind).length);
  const history = due.filter(({ count, before_reporter }) => count === before_reporter).length;
  expect(body.late_before_reporters ?? 0).toBe(history);
  const paged: typeof body.findings = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const query = { ...scope.query, limit, ...(cursor && { cursor }) };
    const page: typeof body = (await client.getQuality({ query })).body;
    paged.push(...page.findings);
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(body.findings);
}

async function boardFacts({ client, rows, nowMs, ladder, question: { scope } }: Moment): Promise<void> {
  const { body, headers } = await client.getBoardFacts({ query: scope.query });
  const { generated_at: _, ...facts } = body;
  const includes = scope.includes ?? (() => true);
  const due = {
    ...plainBoardFacts({ rows, nowMs, ladder, includes }),
    ...(scope.includes && { scope: { services: [], environments: [], ...scope.query } }),
  };
  expect(facts).toEqual(aligned(due, facts));
  expect(headers.get('x-stream-position')).toBe(rows.at(-1)?.id ?? null);
}

type ChangesQuery = NonNullable<Parameters<Client['listChanges']>[0]>['query'];

async function changes(moment: Moment): Promise<void> {
  const { client, rows, nowMs, question } = moment;
  const { scope, limit } = question;
  const listed = async (query: ChangesQuery) => {
    const items: (Change | NetChange)[] = [];
    let first: ChangesPage | undefined;
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { body } = await client.listChanges({ query: { ...query, limit, ...(cursor && { cursor }) } });
      first ??= body;
      expect(body.counts).toEqual(first.counts);
      items.push(...body.items);
      cursor = body.next_cursor;
    }
    return { counts: first?.counts, ahead: first?.ahead, items };
  };
  for (const range of rangesOf(moment)) {
    const of = (places: typeof scope, states?: Change['state'][]) => {
      const plain = { ...range, ...(places.includes && { includes: places.includes }) };
      const due = plainChanges(rows, plain).filter(({ item }) => states?.includes(item.state) ?? true);
      const isAhead = ({ last }: (typeof due)[number]) => micros(last) > BigInt(nowMs + 5 * minuteMs) * 1000n;
      return {
        counts: plainCounts(rows, plain),
        ahead: due.filter(isAhead).map(({ item }) => item),
        items: due.filter((change) => !isAhead(change)).map(({ item }) => item),
      };
    };
    expect(await listed({ ...range, ...scope.query })).toEqual(of(scope));
    const state: Change['state'][] = ['failure', 'in-progress'];
    expect(await listed({ ...range, state })).toEqual(of({ query: {} }, state));
    expect((await listed({ ...range, net: 'true' })).items).toEqual(plainNet(rows, range));
    const { body } = await client.getChangesHistogram({ query: { ...range, ...scope.query, buckets: limit } });
    const boundaries = [...body.buckets.map(({ from }) => from), body.buckets.at(-1)?.to ?? ''];
    expect([boundaries[0], boundaries.at(-1)]).toEqual([range.from, range.to]);
    expect(body.buckets.map(({ by_state }) => Object.values(by_state))).toEqual(
      plainBuckets(rows, boundaries, scope.includes),
    );
  }
}

/** The last days, and the time from one event to another. */
function rangesOf({ rows, nowMs, question: { edges } }: Moment): { from: string; to: string }[] {
  const now = BigInt(nowMs) * 1000n;
  const [one = now, other = now] = edges.map((edge) => {
    const row = rows[edge % rows.length];
    return row ? micros(row) : now;
  });
  const [from, to] = one < other ? [one, other] : [other, one + 2n];
  const days = 86_400_000_000n;
  return [
    { from: instantOf(now - 3n * days), to: instantOf(now + days) },
    { from: instantOf(from), to: instantOf(to) },
  ];
}

async function matrices({ client, rows, nowMs, question: { edges } }: Moment): Promise<void> {
  const at = rows[edges[0] % rows.length]?.happened_at;
  const then = rowsAt(rows, at, nowMs);
  for (const [query, shown] of [[{}, rows] as const, ...(at === undefined ? [] : [[{ at }, then] as const])]) {
    const { body } = await client.getMatrix({ query });
    const due = plainMatrix(shown);
    expect({ environments: body.environments, rows: body.rows }).toEqual(due);
  }
}
