import type { AnalyticsKpi, AnalyticsWindow } from '@shiplog/contract';
import { useId, useState } from 'preact/hooks';
import { Mark } from '../ui/mark.tsx';
import { DayLink } from './day-link.tsx';
import { type Class, figureOf, figureText, type KpiName, kpiTexts, trendOf } from './figures.ts';
import { sparkOf } from './geometry.ts';
import { datesFrom } from './span.ts';
import { Table } from './table.tsx';

interface KpiProps {
  readonly name: KpiName;
  readonly kpi: AnalyticsKpi;
  readonly window: AnalyticsWindow;
}

/** Without a value until the answer is here; the card is drawn at once. */
type CardProps = Pick<KpiProps, 'name'> & { readonly [Name in 'kpi' | 'window']: KpiProps[Name] | undefined };

const classShapes: Readonly<Record<Class, Shape>> = { elite: 'ok', high: 'tick', medium: 'ring', low: 'dash' };
const sparkSize = { width: 112, height: 40 };

/** One of the four keys: its value, how good that is, whether it gets better, and its days. */
export function KpiCard({ name, kpi, window }: CardProps) {
  const { title, says } = kpiTexts[name];
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <section class="kpi" aria-labelledby={id}>
      <div class="chart-head">
        <h2 id={id}>{title}</h2>
        {kpi?.approximated && (
          <span class="badge" title="It comes from promotion chains and is no measured commit-to-production time.">
            approximated
          </span>
        )}
        <button type="button" class="toggle" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          Table<span class="unseen"> of {title.toLowerCase()}</span>
        </button>
      </div>
      {!kpi || !window ? (
        <p class="still small">Asking …</p>
      ) : isTable ? (
        <Days title={title} kpi={kpi} window={window} />
      ) : (
        <Value name={name} kpi={kpi} />
      )}
      <p class="says small">{says}</p>
    </section>
  );
}

function Value({ name, kpi: { value, unit, classification, trend_delta, sparkline } }: Omit<KpiProps, 'window'>) {
  if (value === null) return <p class="still small">none in this period</p>;
  const figure = figureOf(value, unit);
  const { text, verdict } = trendOf(name, trend_delta);
  return (
    <div class="kpi-body">
      <p class="value">
        <b>{figure.number}</b> {figure.unit}
      </p>
      <Spark values={sparkline} />
      <p class={`class ${classification}`} title={kpiTexts[name].classes}>
        <Mark shape={classShapes[classification]} />
        <span>{classification}</span>
      </p>
      <p class={`trend ${verdict ?? ''}`}>{text}</p>
    </div>
  );
}

function Spark({ values }: { readonly values: AnalyticsKpi['sparkline'] }) {
  const { width, height } = sparkSize;
  const { path, last } = sparkOf(values, width, height);
  return (
    <svg class="spark" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <line class="rule" x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      <path d={path} />
      {last && <circle cx={last.x} cy={last.y} r="3" />}
    </svg>
  );
}

function Days({ title, kpi, window }: Omit<KpiProps, 'name'> & { readonly title: string }) {
  const dates = datesFrom(window, kpi.sparkline.length);
  const rows = kpi.sparkline.map((value, index) => [
    <DayLink key={dates[index]} window={window} date={dates[index] ?? window.from} />,
    value === null ? 'none' : figureText(figureOf(value, kpi.unit)),
  ]);
  return <Table title={title} head={['Day', 'Value']} rows={rows} />;
}
