import { answeredStatus, type CallAnswer } from '@shiplog/client';
import { useMemo } from 'preact/hooks';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { daysBefore, logBegin } from './period.ts';
import type { FigureQuery, Question } from './question.ts';

type Ask<Report> = (input: {
  readonly query: FigureQuery;
  readonly signal: AbortSignal;
}) => Promise<CallAnswer<Report>>;

/** A report; `isOld` = it answers the previous question. */
export interface Reply<Report> {
  readonly answer: Answer<Report>;
  readonly isOld: boolean;
  /** The service lacks this endpoint, as the development mock does. */
  readonly isAbsent: boolean;
}

export function useReport<Report>(ask: Ask<Report>, query: FigureQuery | undefined, how?: unknown): Reply<Report> {
  const answer = useAnswer(
    async (signal) => {
      if (query === undefined) return { query };
      const answered = await ask({ query, signal }).catch((error) => {
        if (answeredStatus(error) !== 404) throw error;
      });
      return { query, report: answered?.body };
    },
    [query, how],
  );
  if (answer.kind !== 'here') return { answer, isOld: false, isAbsent: false };
  const { report, query: asked } = answer.value;
  return {
    answer: report === undefined ? { kind: 'waiting' } : { kind: 'here', value: report },
    isOld: asked !== query,
    isAbsent: asked !== undefined && report === undefined,
  };
}

/** The reports of the first screen. */
export function useReports(question: Question | undefined) {
  const { client, now } = useApp().connection;
  const { compare } = useAddress().figures;
  const query = question?.query;
  const frequency = useReport(client.getFrequency, query);
  const dora = useReport(
    ({ query: plain, ...input }) =>
      client.getDora({ ...input, query: compare ? { ...plain, compare: 'previous' } : plain }),
    query,
    compare,
  );
  const outages = useReport(
    ({ query: plain, ...input }) =>
      client.getOutageFigures({ ...input, query: compare ? { ...plain, compare: 'previous' } : plain }),
    query,
    compare,
  );
  const window = frequency.answer.kind === 'here' ? frequency.answer.value.window : undefined;
  const days = compare && window && !frequency.isOld && !logBegin(window) ? daysBefore(window, now.value) : undefined;
  const earlierQuery = useMemo(() => days && query && { ...query, ...days }, [JSON.stringify([days, query])]);
  const earlier = useReport(client.getFrequency, earlierQuery);
  return {
    window,
    dora: dora.answer,
    frequency: frequency.answer,
    /** `undefined` from an earlier service, which has none. */
    outages: outages.isAbsent ? undefined : outages.answer,
    /** The days before the period; `undefined` unless they are compared and the log may cover them. */
    earlier: days && earlier.answer.kind === 'here' && !earlier.isOld ? earlier.answer.value : undefined,
    isOld: frequency.isOld || dora.isOld || outages.isOld,
    isAbsent: frequency.isAbsent,
  };
}

export type Reports = ReturnType<typeof useReports>;
