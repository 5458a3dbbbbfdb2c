import { answeredStatus, type CallAnswer } from '@shiplog/client';
import { type AnalyticsWindow, limits } from '@shiplog/contract';
import { useMemo } from 'preact/hooks';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { type AnswerRow, answers, type ReportOf } from './answers.ts';
import { daysBefore, periodBefore } from './period.ts';
import type { FigureQuery, Question } from './question.ts';

interface Input {
  readonly query: FigureQuery & { readonly limit?: number };
  readonly signal: AbortSignal;
}
type Ask<Report> = (input: Input) => Promise<CallAnswer<Report>>;

interface Windowed {
  readonly window: AnalyticsWindow;
}

/** `report` is `undefined` for a service without analytics. */
interface Reply<Report> {
  readonly asked: FigureQuery;
  readonly report: Report | undefined;
}

type Answered = { readonly [Name in keyof typeof answers]: Answer<ReportOf<(typeof answers)[Name]['call']>> };

/** Requests all reports at once; each can fail separately. */
export function useReports({ query, ofAllEnvironments }: Question) {
  const { client, now } = useApp().connection;
  const { before } = useAddress().figures;
  const asked = Object.entries<AnswerRow>(answers).map(([name, { call, isList, isOfAllEnvironments }]) => {
    const ask = client[call] as Ask<Windowed>;
    const reply = useReport(
      ({ query, signal }) => ask({ query: isList ? { ...query, limit: limits.analyticsLimitMax } : query, signal }),
      isOfAllEnvironments ? ofAllEnvironments : query,
    );
    return { name, reply };
  });
  const replies = asked.flatMap(({ reply }) => (reply.kind === 'here' ? [reply.value] : []));
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
    /** The service answers but has no analytics. The development mock is such a service. */
    isAbsent: replies.some(({ report }) => report === undefined),
    /** Some charts still show figures for the previous period or scope. */
    isOld:
      replies.some((reply) => reply.asked !== query && reply.asked !== ofAllEnvironments) ||
      (dora.kind === 'here' && dora.value.asked !== ofPeriod),
    window,
    /** The log begins within the period, or within the previous period if the two are compared. */
    isYoung,
    /** The deployment frequency of the previous days; `undefined` until it is loaded. */
    frequencyBefore: useFrequencyBefore(earlier, query),
    dora: reported(dora),
    answers: Object.fromEntries(asked.map(({ name, reply }) => [name, reported(reply)])) as unknown as Answered,
  };
}

export type Reports = ReturnType<typeof useReports>;

/** Whether the log has no events before a time. */
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

/** Replaces the name of the window by its times, because the response otherwise lacks the log coverage. */
function withInstants(query: FigureQuery, window: AnalyticsWindow | undefined): FigureQuery {
  if (!window || !('window' in query)) return query;
  const { window: _, ...scope } = query;
  return { ...scope, from: window.from, to: window.to };
}

/** One number per previous day, in order; `undefined` while unknown. */
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
  return useAnswer(
    async (signal) => {
      const answer = await ask({ query, signal }).catch((error) => {
        if (answeredStatus(error) !== 404) throw error;
      });
      return { asked: query, report: answer?.body };
    },
    [query, how],
  );
}

function reported<Report>(answer: Answer<Reply<Report>>): Answer<Report> {
  if (answer.kind !== 'here') return answer;
  const { report } = answer.value;
  return report === undefined ? { kind: 'waiting' } : { kind: 'here', value: report };
}
