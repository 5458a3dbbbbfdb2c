import { answeredStatus, type CallAnswer } from '@shiplog/client';
import { type AnalyticsKpi, type AnalyticsWindow, outageFigures } from '@shiplog/contract';
import { useMemo } from 'preact/hooks';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { keyNames } from './figures.ts';
import { comparedUnit, defaultRange, logBegin, periodBefore } from './period.ts';
import type { FigureQuery, Question } from './question.ts';

type Ask<Report> = (input: {
  readonly query: FigureQuery;
  readonly signal: AbortSignal;
}) => Promise<CallAnswer<Report>>;

/** A report; `isOld` = it answers the previous question. */
interface Reply<Report> {
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
  const { range = defaultRange, figures } = useAddress();
  const { compare } = figures;
  const query = question?.query;
  // The service compares with a period of the same length, so months and quarters are requested separately.
  const ofUnit = compare && comparedUnit(range, now.value) !== undefined;
  const isCompared = compare && !ofUnit;
  const previously = isCompared ? ({ compare: 'previous' } as const) : {};
  const frequency = useReport(client.getFrequency, query);
  const dora = useReport(
    ({ query: plain, ...input }) => client.getDora({ ...input, query: { ...plain, ...previously } }),
    query,
    isCompared,
  );
  const outages = useReport(
    ({ query: plain, ...input }) => client.getOutageFigures({ ...input, query: { ...plain, ...previously } }),
    query,
    isCompared,
  );
  const window = frequency.answer.kind === 'here' ? frequency.answer.value.window : undefined;
  const mayCompare = compare && window && !frequency.isOld && !logBegin(window);
  const before = mayCompare ? periodBefore(range, window, now.value) : undefined;
  const earlierQuery = useMemo(() => before && query && { ...query, ...before }, [JSON.stringify([before, query])]);
  const earlier = useReport(client.getFrequency, earlierQuery);
  const unitQuery = ofUnit ? earlierQuery : undefined;
  const earlierDora = useReport(client.getDora, unitQuery);
  const earlierOutages = useReport(client.getOutageFigures, unitQuery);
  const previous = before === undefined ? [] : [earlier, ...(ofUnit ? [earlierDora, earlierOutages] : [])];
  return {
    window,
    dora: ofUnit ? compared(dora.answer, earlierDora, keyNames, unitQuery !== undefined) : dora.answer,
    frequency: frequency.answer,
    /** `undefined` from an earlier service, which has none. */
    outages: outages.isAbsent
      ? undefined
      : ofUnit
        ? compared(outages.answer, earlierOutages, outageFigures, unitQuery !== undefined)
        : outages.answer,
    /** The days before the period; `undefined` unless they are compared and the log may cover them. */
    earlier: before && earlier.answer.kind === 'here' && !earlier.isOld ? earlier.answer.value : undefined,
    isOld: frequency.isOld || dora.isOld || outages.isOld,
    /** The reports of the previous period have not arrived yet. */
    isComparing: previous.some(({ answer, isOld, isAbsent }) => isOld || (answer.kind === 'waiting' && !isAbsent)),
    isAbsent: frequency.isAbsent,
  };
}

type Figure = Pick<AnalyticsKpi, 'value' | 'previous'>;

/**
 * A report whose previous values are those of another report once that has arrived; null if the log may not cover all of
 * its period.
 */
function compared<Name extends string, Report extends Record<Name, Figure> & { readonly window: AnalyticsWindow }>(
  answer: Answer<Report>,
  { answer: earlier, isOld }: Reply<Report>,
  names: readonly Name[],
  isAsked: boolean,
): Answer<Report> {
  if (answer.kind !== 'here' || (isAsked && (isOld || earlier.kind === 'waiting'))) return answer;
  const before = earlier.kind === 'here' && !logBegin(earlier.value.window) ? earlier.value : undefined;
  const figures = names.map((name) => [name, { ...answer.value[name], previous: before?.[name].value ?? null }]);
  return { ...answer, value: { ...answer.value, ...Object.fromEntries(figures) } };
}

export type Reports = ReturnType<typeof useReports>;
