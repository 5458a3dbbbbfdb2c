import type { AnalyticsKpi, DoraReport, OutageFigure, ProvableFigure } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { useId } from 'preact/hooks';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { FigureButton } from './figure-button.tsx';
import {
  absenceOf,
  classText,
  endedIn,
  figureOf,
  figureText,
  type KeyName,
  keyTexts,
  shownKey,
  tooFewText,
} from './figures.ts';
import { logBegin } from './period.ts';
import type { Question } from './question.ts';
import { placeText } from './scope-text.ts';

interface CardProps {
  readonly name: KeyName;
  readonly question: Question;
  /** `undefined` until the response arrives. */
  readonly report: DoraReport | undefined;
  /** Why there is no previous period. */
  readonly noPrevious: string;
}

export function KeyCard({ name, question, report, noPrevious }: CardProps) {
  const { title, classes, counts } = keyTexts[name];
  const key = report && shownKey(report[name]);
  const level = key && question.scope.isProduction && (tooFewText(endedIn(report)) ?? classText(key));
  return (
    <FigureCard
      {...{ figure: name, title, question, counts, kpi: key }}
      level={level || undefined}
      levelTitle={classes}
      absence={key && absenceOf(name, key)}
      change={key && changeOf(key, noPrevious)}
      says={report && sentenceOf(name, report, question)}
    />
  );
}

interface FigureCardProps {
  readonly figure: KeyName | OutageFigure;
  readonly title: string;
  readonly question: Question;
  /** What the evidence counts. */
  readonly counts: string;
  /** `undefined` until the response arrives. */
  readonly kpi: Pick<AnalyticsKpi, 'value' | 'unit'> | undefined;
  /** The performance class and its bounds. */
  readonly level?: string | undefined;
  readonly levelTitle?: string;
  /** Why there is no value. */
  readonly absence: string | undefined;
  readonly change: Change | undefined;
  readonly says: string | undefined;
}

/** A figure with its class, its change and the number of counted items; each number opens the evidence. */
export function FigureCard(props: FigureCardProps) {
  const { figure, title, question, counts, kpi, level, levelTitle, absence, change, says } = props;
  const { evidence } = useAddress().figures;
  const counted = useCounted(figure, question);
  const id = useId();
  return (
    <section class={`card column key-card ${evidence === figure ? 'open' : ''}`} aria-labelledby={id}>
      <div class="row apart">
        <h2 id={id}>{title}</h2>
        {level && (
          <span class="class tiny nowrap" title={levelTitle}>
            {level}
          </span>
        )}
      </div>
      {kpi ? (
        <FigureButton figure={figure} class="figure value">
          <b>{kpi.value === null ? 'none' : figureOf(kpi.value, kpi.unit).number}</b>{' '}
          {kpi.value === null ? absence : figureOf(kpi.value, kpi.unit).unit}
        </FigureButton>
      ) : (
        <p class="value soft">…</p>
      )}
      {change && (
        <p class="change small">
          <b class={change.verdict && (change.verdict === 'better' ? 'ok' : 'bad')}>{change.word}</b> {change.than}
        </p>
      )}
      <p class="small">{says}</p>
      <p class="made small">
        {counted && (
          <FigureButton figure={figure} class="link">
            {counted.counted.toLocaleString('en')} of {counted.all.toLocaleString('en')} {counts} counted
          </FigureButton>
        )}
      </p>
    </section>
  );
}

/** What a key measures, with the numbers of a rate. */
function sentenceOf(name: KeyName, report: DoraReport, { scope }: Question): string {
  const where = placeText(scope);
  switch (name) {
    case 'deployment_frequency':
      return `Deployments that ended ${where}, per ${logBegin(report.window) ? 'covered ' : ''}day.`;
    case 'lead_time':
      return 'Median time from a release’s first event to its success in production.';
    case 'change_failure_rate': {
      const ended = endedIn(report);
      const failed = Math.round((report.change_failure_rate.value ?? 0) * ended);
      const limit = scope.isProduction ? `, where 15\u00a0% is the limit of Elite` : '';
      return `${failed.toLocaleString('en')} of ${pluralize(ended, 'deployment')} ${where} failed${limit}.`;
    }
    case 'time_to_restore':
      return `Median time from a failure ${where} to the next success there.`;
  }
}

/** How many items a figure counts; `undefined` until the service answers. */
function useCounted(figure: ProvableFigure, { query }: Question): { counted: number; all: number } | undefined {
  const { client } = useApp().connection;
  const answer = useAnswer(
    async (signal) => {
      const { body } = await client.getEvidence({ params: { figure }, query: { ...query, limit: 1 }, signal });
      return { counted: body.counted, all: body.left_out.reduce((sum, { count }) => sum + count, body.counted) };
    },
    [query],
  );
  return answer.kind === 'here' ? answer.value : undefined;
}

/** How a key changed since the previous period: "▲ more than 3.8 a day before, better". */
interface Change {
  /** Includes the arrow. */
  readonly word: string;
  readonly than: string;
  readonly verdict: 'better' | 'worse' | undefined;
}

const words: Readonly<Record<AnalyticsKpi['unit'], readonly [more: string, less: string, isMoreBetter: boolean]>> = {
  per_day: ['more', 'fewer', true],
  ratio: ['more', 'fewer', false],
  hours: ['longer', 'shorter', false],
  minutes: ['longer', 'shorter', false],
};

/** `undefined` if no previous value was requested. Values with the same displayed text count as unchanged. */
export function changeOf(
  { value, previous, unit }: Pick<AnalyticsKpi, 'value' | 'previous' | 'unit'>,
  noPrevious: string,
): Change | undefined {
  if (previous === undefined) return undefined;
  if (previous === null) return { word: '', than: noPrevious, verdict: undefined };
  const before = figureText(figureOf(previous, unit));
  if (value === null) return { word: before, than: 'before', verdict: undefined };
  if (figureText(figureOf(value, unit)) === before)
    return { word: '■ unchanged', than: `from ${before} before`, verdict: undefined };
  const [more, less, isMoreBetter] = words[unit];
  const isMore = value > previous;
  const verdict = isMore === isMoreBetter ? 'better' : 'worse';
  return { word: isMore ? `▲ ${more}` : `▼ ${less}`, than: `than ${before} before, ${verdict}`, verdict };
}
