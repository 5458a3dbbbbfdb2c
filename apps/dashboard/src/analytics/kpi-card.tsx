import type { AnalyticsKpi, AnalyticsWindow } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { useId, useState } from 'preact/hooks';
import type { Scope } from '../board/scope.ts';
import { useAddress, useBoardContext } from '../ui/app.ts';
import { TableToggle } from './chart-card.tsx';
import { FigureButton } from './figure-button.tsx';
import { absenceOf, coveredKpi, figureOf, figureText, type KpiName, kpiTexts, levelOf } from './figures.ts';
import { DayLink } from './rows-link.tsx';
import { inEnvironments } from './scope-words.ts';
import { datesFrom } from './span.ts';
import { CsvButton, cell, Table, type TableContent } from './table.tsx';

export interface Counted {
  readonly counted: number;
  readonly all: number;
}

interface CardProps {
  readonly name: KpiName;
  readonly scope: Scope;
  /** `undefined` until the response arrives. */
  readonly kpi: AnalyticsKpi | undefined;
  readonly window: AnalyticsWindow | undefined;
  readonly made: Counted | undefined;
}

export function KpiCard({ name, scope, kpi, window, made }: CardProps) {
  const production = useBoardContext().promotionOrder.at(-1) ?? 'prod';
  const { evidence } = useAddress().figures;
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  const text = kpiTexts[name];
  const covered = kpi && window && coveredKpi(kpi, window);
  // The service classifies the value for all days, not the value per covered day.
  const level = kpi && scope.isProduction && !covered ? levelOf(kpi) : undefined;
  const { title } = text;
  const table = kpi && window && daysOf(kpi, window);
  return (
    <section class={`card column gap-4 kpi ${evidence === name ? 'open' : ''}`} aria-labelledby={id}>
      <div class="row chart-head">
        <h2 id={id} class="space">
          {title}
        </h2>
        {isTable && table && <CsvButton title={title} {...table} />}
        <TableToggle title={title} isTable={isTable} toggle={() => setIsTable(!isTable)} />
      </div>
      {isTable && table ? (
        <Table title={title} {...table} />
      ) : (
        <>
          {kpi ? <Value name={name} kpi={covered ?? kpi} /> : <p class="still small">Loading …</p>}
          <p class="dora fine" title={text.classes}>
            {text.inWords(production)}
            {level && `: ${level}`}
            {kpi?.approximated && ', approximated'}
          </p>
          <p class="says small">
            {text.says(inEnvironments(scope), production)}
            {covered &&
              ` Over the ${pluralize(window.covered_days ?? 0, 'day')} that the log covers; ${ofAllDays(kpi)}.`}
          </p>
          <p class="made small">
            {made && (
              <FigureButton figure={name} class="link">
                {madeText(name, made)} ›
              </FigureButton>
            )}
          </p>
        </>
      )}
    </section>
  );
}

function ofAllDays({ value, unit }: AnalyticsKpi): string {
  return value === null ? 'none over all' : `${figureText(figureOf(value, unit))} over all`;
}

/** The word for the items that each key counts. */
const madeOf: Readonly<Record<KpiName, string>> = {
  deployment_frequency: 'events',
  lead_time: 'successes',
  change_failure_rate: 'events',
  time_to_restore: 'failures',
};

function madeText(name: KpiName, { counted, all }: Counted): string {
  return `${counted.toLocaleString('en')} of ${all.toLocaleString('en')} ${madeOf[name]} counted`;
}

function Value({ name, kpi }: { readonly name: KpiName; readonly kpi: AnalyticsKpi }) {
  const { value, unit } = kpi;
  const figure = value === null ? { number: 'none', unit: absenceOf(name, kpi) } : figureOf(value, unit);
  const change = changeOf(name, kpi);
  return (
    <>
      <FigureButton figure={name} class="figure value">
        <b>{figure.number}</b> {figure.unit}
      </FigureButton>
      <p class="change small">
        {change && (
          <>
            <b class={change.verdict && verdictTones[change.verdict]}>{change.word}</b> {change.than}
          </>
        )}
      </p>
    </>
  );
}

function daysOf({ sparkline, unit }: AnalyticsKpi, window: AnalyticsWindow): TableContent {
  const dates = datesFrom(window, sparkline.length);
  return {
    head: ['Day', unitNames[unit]],
    rows: sparkline.map((value, index) => {
      const date = dates[index] ?? window.from;
      return [
        cell(date, <DayLink window={window} date={date} />),
        cell(value, value === null ? 'none' : figureText(figureOf(value, unit))),
      ];
    }),
  };
}

const unitNames: Readonly<Record<AnalyticsKpi['unit'], string>> = {
  per_day: 'Deployments',
  hours: 'Hours',
  ratio: 'Share',
  minutes: 'Minutes',
};

type Verdict = 'better' | 'worse';

const verdictTones: Readonly<Record<Verdict, string>> = { better: 'ok', worse: 'bad' };

/** How a key changed since the previous period: "▲ more than 3.8 a day before, better". */
interface Change {
  /** Includes the arrow. Shown in bold if there is a verdict. */
  readonly word: string;
  readonly than: string;
  readonly verdict: Verdict | undefined;
}

const words: Readonly<Record<KpiName, { readonly more: string; readonly less: string; readonly moreIs: Verdict }>> = {
  deployment_frequency: { more: 'more', less: 'fewer', moreIs: 'better' },
  lead_time: { more: 'longer', less: 'shorter', moreIs: 'worse' },
  change_failure_rate: { more: 'more', less: 'fewer', moreIs: 'worse' },
  time_to_restore: { more: 'longer', less: 'shorter', moreIs: 'worse' },
};

/** `undefined` if no previous value was requested. Values with the same displayed text count as unchanged. */
export function changeOf(name: KpiName, { value, previous, unit }: AnalyticsKpi): Change | undefined {
  if (previous === undefined) return undefined;
  if (previous === null) return { word: 'no previous period', than: 'to compare', verdict: undefined };
  const before = figureText(figureOf(previous, unit));
  if (value === null) return { word: before, than: 'before', verdict: undefined };
  if (figureText(figureOf(value, unit)) === before)
    return { word: '■ unchanged', than: 'from before', verdict: undefined };
  const { more, less, moreIs } = words[name];
  const isMore = value > previous;
  const verdict = isMore === (moreIs === 'better') ? 'better' : 'worse';
  return { word: isMore ? `▲ ${more}` : `▼ ${less}`, than: `than ${before} before, ${verdict}`, verdict };
}
