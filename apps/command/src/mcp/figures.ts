import { type AnyEvidenceReport, findingKinds, outageFigures, provableFigures } from '@shiplog/contract';
import { coveredNote, keyFigures, leadTimeNote, observedFigures } from '../questions/dora.ts';
import { analyticsLink, viewLink } from '../questions/links.ts';
import { periodQuery } from '../questions/query-options.ts';
import { type Answer, cutText } from './answer.ts';
import {
  closed,
  cursor,
  type Given,
  type Log,
  limit,
  name,
  paged,
  scope,
  scopeInLink,
  scopeOf,
  type Tool,
} from './tool.ts';

const defaultPeriod = '7d';

export const dora: Tool = {
  name: 'dora',
  description:
    'Returns the four DORA metrics over a period (by default whole UTC days): deployment frequency, lead time, change failure rate and time to restore; and the failure rate, time to restore and time to detect that outages show. With `evidence`, returns one figure with its formula, the rows behind it and the rows it leaves out.',
  input: closed({
    period: {
      type: 'string',
      pattern: '^[1-9]\\d{0,2}d$',
      default: defaultPeriod,
      description:
        'The period as a number of past days, such as 90d, at most 400d. Alternatively, set `from` and `to`.',
    },
    from: name('Start of the period: a time, a date such as 2026-05-04, or an age such as 30d. Requires `to`.'),
    to: name('End of the period (exclusive), in the same formats as `from`.'),
    ...scope,
    evidence: { type: 'string', enum: provableFigures, description: 'The figure whose rows to list.' },
    limit: limit(200, 20),
    cursor,
  }),
  answer: (given, log, signal) =>
    given.evidence === undefined ? metricsAnswer(given, log, signal) : evidenceAnswer(given, log, signal),
};

function periodOf({ period, from, to }: Given, client: Log['client'], signal: AbortSignal) {
  const given = from === undefined && to === undefined ? { period: period ?? defaultPeriod } : { period, from, to };
  return periodQuery(given, { client, now: new Date(), signal });
}

async function metricsAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const period = await periodOf(given, client, signal);
  const { body } = await client.getDora({ query: { ...period, ...scopeOf(given) }, signal });
  const observed = await observedFigures(client, { query: { ...period, ...scopeOf(given) }, signal });
  const covered = coveredNote(body);
  return {
    members: {
      link: analyticsLink(url, { ...body.window, ...period }, scopeInLink(given)),
      window: body.window,
      note: covered === undefined ? leadTimeNote : `${covered} Its class is based on all days. ${leadTimeNote}`,
      ...(observed && { outages: observed.outages, outages_note: observed.note }),
    },
    items: [
      ...keyFigures.map((figure) => {
        const { per_covered_day, ...kpi } = body[figure];
        return { figure, ...(per_covered_day !== undefined && { per_covered_day }), ...kpi };
      }),
      ...(observed ? outageFigures.map((figure) => ({ figure, ...observed[figure] })) : []),
    ],
    next: async () => undefined,
  };
}

async function evidenceAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const { evidence: figure = 'lead_time' } = given;
  let about: object = {};
  const period = await periodOf(given, client, signal);
  const page = async (count: number) => {
    const query = { ...period, ...scopeOf(given), limit: count, cursor: given.cursor };
    const { body } = await client.getEvidence({ params: { figure }, query, signal });
    // The scope may be too long for an answer, and the caller already has it.
    const { items, next_cursor, scope: _, ...members } = body;
    const parameters = { evidence: figure, ...scopeInLink(given) };
    about = { link: analyticsLink(url, { ...members.window, ...period }, parameters), ...members };
    return { items, next_cursor };
  };
  const { items, next } = await paged(page, given.limit ?? 20);
  return { members: about, items: items.map(briefItem), next };
}

/** The maximum number of row ids per item. The first is the id of the item itself. */
const rowsMax = 5;

function briefItem({ deployment_id, event_ids, ...members }: AnyEvidenceReport['items'][number]): object {
  const rows = { event_ids: event_ids.slice(0, rowsMax), rows: event_ids.length };
  return { ...members, deployment_id: deployment_id && cutText(deployment_id), ...rows };
}

export const quality: Tool = {
  name: 'quality',
  description: 'Reports the data quality of the log: the reporters, and the findings, worst first.',
  input: closed({
    kind: { type: 'array', items: { type: 'string', enum: findingKinds }, maxItems: findingKinds.length },
    ...scope,
    limit: limit(200, 50),
    cursor,
  }),
  answer: qualityAnswer,
};

const reportersMax = 10;

async function qualityAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  let about: object = {};
  const page = async (count: number) => {
    const query = { limit: count, ...scopeOf(given), kind: given.kind, cursor: given.cursor };
    const { findings, next_cursor, emitters, counts } = (await client.getQuality({ query, signal })).body;
    const brief = emitters.map(({ reporter, ...others }) => ({ reporter: reporter && cutText(reporter), ...others }));
    about = { counts, emitters: brief.slice(0, reportersMax) };
    return { items: findings.map(({ detail, ...others }) => ({ ...others, detail: cutText(detail) })), next_cursor };
  };
  const { items, next } = await paged(page, given.limit ?? 50);
  return { members: { link: viewLink(url, 'quality', { kind: given.kind }), ...about }, items, next };
}
