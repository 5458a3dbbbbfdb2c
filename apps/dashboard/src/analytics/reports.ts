import { type CallAnswer, CallRefused } from '@shiplog/client';
import { type AnalyticsWindow, type AnalyticsWindowName, headerNames } from '@shiplog/contract';
import { useEffect, useState } from 'preact/hooks';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';

/** The window ends at the start of a day or an hour: its figures change seldom, and 304 costs little. */
const againMs = 5 * 60_000;

/** All reports take the window, and answer 304 to an ETag that still holds. */
interface Input {
  readonly query: { readonly window: string };
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

/** The answer to one request: a report of the window that was asked for, or none from a service without analytics. */
interface Reply<Report> {
  readonly asked: AnalyticsWindowName;
  readonly report: Report | undefined;
}

/** All reports of a window, asked for at once; each of them may fail by itself. */
export function useReports(window: AnalyticsWindowName) {
  const { client } = useApp().connection;
  const round = useRounds();
  const asked = {
    dora: useReport(client.getDora, window, round),
    frequency: useReport(client.getFrequency, window, round),
    failureRate: useReport(client.getChangeFailureRate, window, round),
    durations: useReport(client.getDurationHistogram, window, round),
    funnel: useReport(client.getPromotionFunnel, window, round),
    statuses: useReport(client.getStatusDistribution, window, round),
    heatmap: useReport(client.getHeatmap, window, round),
    deployers: useReport(client.getTopDeployers, window, round),
    incidents: useReport(client.getIncidents, window, round),
  };
  const replies = Object.values(asked).flatMap((answer) => (answer.kind === 'here' ? [answer.value] : []));
  return {
    /** The service answers, and has no analytics: the development mock does so. */
    isAbsent: replies.some(({ report }) => report === undefined),
    /** Some charts still show the period that was chosen before. */
    isOld: replies.some((reply) => reply.asked !== window),
    /** What the service made of the period, from whichever report is here. */
    window: replies.find(({ report }) => report)?.report?.window,
    dora: reported(asked.dora),
    frequency: reported(asked.frequency),
    failureRate: reported(asked.failureRate),
    durations: reported(asked.durations),
    funnel: reported(asked.funnel),
    statuses: reported(asked.statuses),
    heatmap: reported(asked.heatmap),
    deployers: reported(asked.deployers),
    incidents: reported(asked.incidents),
  };
}

export type Reports = ReturnType<typeof useReports>;

/** A number that grows every few minutes while the page is visible. */
function useRounds(): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setRound((count) => count + 1), againMs);
    return () => clearInterval(timer);
  }, []);
  return round;
}

function useReport<Report extends Windowed>(
  ask: Ask<Report>,
  window: AnalyticsWindowName,
  round: number,
): Answer<Reply<Report>> {
  const [kept] = useState(() => new Map<string, Kept<Report>>());
  return useAnswer(
    async (signal) => ({ asked: window, report: await reportOf(ask, window, kept, signal) }),
    [window, round],
  );
}

/** The report, from the last answer if the service says that it still holds. */
async function reportOf<Report>(
  ask: Ask<Report>,
  window: AnalyticsWindowName,
  kept: Map<string, Kept<Report>>,
  signal: AbortSignal,
): Promise<Report | undefined> {
  const old = kept.get(window);
  try {
    const { status, headers, body } = await ask({
      query: { window },
      headers: old ? { [headerNames.ifNoneMatch]: old.tag } : {},
      signal,
    });
    if (status === 304) return old?.report;
    const tag = headers.get(headerNames.etag);
    if (tag) kept.set(window, { tag, report: body });
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
