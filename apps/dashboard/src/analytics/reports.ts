import { type CallAnswer, CallRefused } from '@shiplog/client';
import { type AnalyticsWindow, headerNames, limits } from '@shiplog/contract';
import { useMemo, useState } from 'preact/hooks';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { daysBefore, periodBefore } from './period.ts';
import type { FigureQuery, Question } from './question.ts';

/** All reports take a period and a scope, and answer 304 to an ETag that still holds. */
interface Input {
  readonly query: FigureQuery;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}
type Ask<Report> = (input: Input) => Promise<CallAnswer<Report>>;

interface Windowed {
  readonly window: AnalyticsWindow;
}

interface Kept<Report> {
  readonly tag: string;
  readonly report: Report;
}

/** A list as long as the service answers it; its picture takes fewer. */
function listed(query: FigureQuery) {
  return { ...query, limit: limits.analyticsLimitMax };
}

/** So many answers of one report are kept, for those who go back and forth. */
const keptMax = 12;

/** The answer to one request: a report of what was asked for, or none from a service without analytics. */
interface Reply<Report> {
  readonly asked: FigureQuery;
  readonly report: Report | undefined;
}

/** All reports of a question, asked for at once; each of them may fail by itself. */
export function useReports({ query, ofLadder }: Question) {
  const { client, now } = useApp().connection;
  const { before } = useAddress().figures;
  const asked = {
    frequency: useReport(client.getFrequency, query),
    failureRate: useReport(client.getChangeFailureRate, query),
    durations: useReport(client.getDurationHistogram, query),
    funnel: useReport(client.getPromotionFunnel, ofLadder),
    statuses: useReport(client.getStatusDistribution, query),
    heatmap: useReport(client.getHeatmap, query),
    deployers: useReport(({ query, ...input }) => client.getTopDeployers({ ...input, query: listed(query) }), query),
    incidents: useReport(({ query, ...input }) => client.getIncidents({ ...input, query: listed(query) }), query),
    stages: useReport(client.getStages, query),
    stability: useReport(client.getStability, query),
  };
  const replies = Object.values(asked).flatMap((answer) => (answer.kind === 'here' ? [answer.value] : []));
  const window = replies.find(({ report }) => report)?.report?.window;
  const isYoung = useIsYoung(window && (before ? periodBefore(window, now.value) : window)?.from);
  const ofPeriod = useMemo(() => withInstants(query, isYoung ? window : undefined), [query, isYoung, window]);
  const dora = useReport(
    ({ query: plain, ...input }) =>
      client.getDora({ ...input, query: before ? { ...plain, compare: 'previous' } : plain }),
    ofPeriod,
    before,
  );
  const earlier = before && window && !isYoung ? daysBefore(window, now.value) : undefined;
  return {
    /** The service answers, and has no analytics: the development mock does so. */
    isAbsent: replies.some(({ report }) => report === undefined),
    /** Some charts still show what was asked before. */
    isOld:
      replies.some((reply) => reply.asked !== query && reply.asked !== ofLadder) ||
      (dora.kind === 'here' && dora.value.asked !== ofPeriod),
    /** What the service made of the period, from whichever report is here. */
    window,
    /** The log begins within the period, or within the one that it is compared with. */
    isYoung,
    /** The frequency of the days before; `undefined` where it is not asked for. */
    frequencyBefore: useFrequencyBefore(earlier, query),
    dora: reported(dora),
    frequency: reported(asked.frequency),
    failureRate: reported(asked.failureRate),
    durations: reported(asked.durations),
    funnel: reported(asked.funnel),
    statuses: reported(asked.statuses),
    heatmap: reported(asked.heatmap),
    deployers: reported(asked.deployers),
    incidents: reported(asked.incidents),
    stages: reported(asked.stages),
    stability: reported(asked.stability),
  };
}

export type Reports = ReturnType<typeof useReports>;

/** Whether nothing in the log happened before an instant. */
function useIsYoung(from: string | undefined): boolean {
  const { client } = useApp().connection;
  const answer = useAnswer(
    async (signal) => {
      if (from === undefined) return false;
      const { body } = await client.listDeployments({ query: { until: from, limit: 1 }, signal });
      return body.items.length === 0;
    },
    [from],
  );
  return answer.kind === 'here' && answer.value;
}

/** The same question by the instants of its window: only such an answer says which part of it the log covers. */
function withInstants(query: FigureQuery, window: AnalyticsWindow | undefined): FigureQuery {
  if (!window || !('window' in query)) return query;
  const { window: _, ...scope } = query;
  return { ...scope, from: window.from, to: window.to };
}

/** A number of each day before, in the order of the days; none until it is known. */
function useFrequencyBefore(
  earlier: { readonly from: string; readonly to: string } | undefined,
  query: FigureQuery,
): readonly number[] | undefined {
  const { client } = useApp().connection;
  const { services, environments, teams } = query;
  const scope = { ...(services && { services }), ...(environments && { environments }), ...(teams && { teams }) };
  const answer = useAnswer(
    async (signal) => {
      if (!earlier) return undefined;
      const { body } = await client.getFrequency({ query: { ...scope, ...earlier }, signal });
      return { of: earlier.from, ended: body.buckets.map(({ success, failure }) => success + failure) };
    },
    [JSON.stringify([earlier, scope])],
  );
  const isHere = answer.kind === 'here' && earlier !== undefined && answer.value?.of === earlier.from;
  return isHere ? answer.value?.ended : undefined;
}

function useReport<Report extends Windowed>(
  ask: Ask<Report>,
  query: FigureQuery,
  how?: unknown,
): Answer<Reply<Report>> {
  const [kept] = useState(() => new Map<string, Kept<Report>>());
  return useAnswer(
    async (signal) => ({ asked: query, report: await reportOf(ask, query, how, kept, signal) }),
    [query, how],
  );
}

/** The report, from the last answer if the service says that it still holds. */
async function reportOf<Report>(
  ask: Ask<Report>,
  query: FigureQuery,
  how: unknown,
  kept: Map<string, Kept<Report>>,
  signal: AbortSignal,
): Promise<Report | undefined> {
  const key = JSON.stringify([query, how]);
  const old = kept.get(key);
  try {
    const { status, headers, body } = await ask({
      query,
      headers: old ? { [headerNames.ifNoneMatch]: old.tag } : {},
      signal,
    });
    if (status === 304) return old?.report;
    const tag = headers.get(headerNames.etag);
    if (tag) kept.set(key, { tag, report: body });
    for (const oldest of [...kept.keys()].slice(0, -keptMax)) kept.delete(oldest);
    return body;
  } catch (error) {
    if (error instanceof CallRefused && error.status === 404) return undefined;
    // The head of the page tells that the service does not answer; the chart stays as it is.
    if (old && !signal.aborted) return old.report;
    throw error;
  }
}

function reported<Report>(answer: Answer<Reply<Report>>): Answer<Report> {
  if (answer.kind !== 'here') return answer;
  const { report } = answer.value;
  return report === undefined ? { kind: 'waiting' } : { kind: 'here', value: report };
}
