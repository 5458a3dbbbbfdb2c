import type { AnalyticsWindow, FrequencyReport } from '@shiplog/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { listen } from '../ui/listen.ts';
import { ticksTo } from './axis.ts';
import { numberText } from './figures.ts';
import { dayRows, RowsLink, windowRows } from './links.tsx';
import { dayLabel, dayMs, logBegin, minuteLabel, partialDates } from './period.ts';

const outcomes = ['success', 'failure'] as const;
const outcomeLabels = { success: 'succeeded', failure: 'failed' };
const size = { height: 156, top: 12, bottom: 132, left: 44 };
const labelWidth = 46;
/** The width of "Log begins 26 Oct 14:10". */
const beginWidth = 164;

interface ChartProps {
  readonly report: FrequencyReport;
  /** The days before the period, to compare. */
  readonly earlier: FrequencyReport | undefined;
}

export function FrequencyChart({ report, earlier }: ChartProps) {
  const figure = useRef<HTMLElement>(null);
  const width = useWidth(figure);
  useOneTabStop(figure);
  const { window, buckets } = report;
  const total = (of: FrequencyReport, status: (typeof outcomes)[number]) =>
    of.buckets.reduce((sum, bucket) => sum + bucket[status], 0);
  return (
    <section class="card chart-card" aria-labelledby="per-day">
      <div class="wrap legend fine">
        <h2 id="per-day" class="space">
          Deployments per day
        </h2>
        {outcomes.map((status) => (
          <RowsLink key={status} class="plain-link soft" to={windowRows(window, { status })}>
            <span class={`swatch ${status}`} /> {outcomeLabels[status]} {numberText(total(report, status))}
          </RowsLink>
        ))}
        {partialDates(window).size > 0 && <Legend swatch="partial" text="partial day" />}
        {logBegin(window) && <Legend swatch="uncovered" text="not covered" />}
        {earlier && (
          <Legend
            swatch="earlier"
            text={`previous period ${numberText(total(earlier, 'success') + total(earlier, 'failure'))}`}
          />
        )}
      </div>
      <figure ref={figure}>
        {width > 0 && (
          <svg width={width} height={size.height} viewBox={`0 0 ${width} ${size.height}`}>
            <title>Deployments per UTC day. Use the arrow keys to move between bars.</title>
            <Patterns />
            <Plot
              window={window}
              buckets={buckets}
              earlier={earlier?.buckets.slice(0, buckets.length) ?? []}
              width={width}
            />
          </svg>
        )}
      </figure>
    </section>
  );
}

function Legend({ swatch, text }: { readonly swatch: string; readonly text: string }) {
  return (
    <span class="soft">
      <span class={`swatch ${swatch}`} /> {text}
    </span>
  );
}

interface PlotProps {
  readonly window: AnalyticsWindow;
  readonly buckets: FrequencyReport['buckets'];
  readonly earlier: FrequencyReport['buckets'];
  readonly width: number;
}

function Plot({ window, buckets, earlier, width }: PlotProps) {
  const counts = (days: PlotProps['buckets']) => days.map(({ success, failure }) => success + failure);
  const ticks = ticksTo(Math.max(0, ...counts(buckets), ...counts(earlier)));
  const scale = (size.bottom - size.top) / (ticks.at(-1) ?? 1);
  const yOf = (count: number) => size.bottom - count * scale;
  const slot = (width - size.left) / Math.max(buckets.length, 1);
  const partial = partialDates(window);
  return (
    <>
      <svg aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <path class={tick === 0 ? 'rule base' : 'rule'} d={`M${size.left} ${sharp(yOf(tick))}H${width}`} />
            <text x={size.left - 8} y={yOf(tick) + 4} text-anchor="end">
              {numberText(tick)}
            </text>
          </g>
        ))}
      </svg>
      <Uncovered window={window} slot={slot} />
      {buckets.map((bucket, index) => (
        <Day
          key={bucket.date}
          {...{ window, bucket, yOf, slot }}
          x={size.left + index * slot}
          isPartial={partial.has(bucket.date)}
        />
      ))}
      {earlier.length > 0 && <path class="earlier-line" d={stepPath(counts(earlier).map(yOf), slot)} />}
      <DayLabels buckets={buckets} slot={slot} width={width} />
    </>
  );
}

/** The days before the log begins. */
function Uncovered({ window, slot }: Pick<PlotProps, 'window'> & { readonly slot: number }) {
  const begin = logBegin(window);
  if (begin === undefined) return null;
  const firstDay = Math.floor(Date.parse(window.from) / dayMs) * dayMs;
  const width = Math.min((Date.parse(begin) - firstDay) / dayMs, window.days) * slot;
  const middle = size.left + width / 2;
  return (
    <>
      <rect class="uncovered" x={size.left} y={size.top} width={width} height={size.bottom - size.top} />
      {width > beginWidth && (
        <>
          <rect class="begin" x={middle - beginWidth / 2} y="56" width={beginWidth} height="22" rx="6" />
          <text class="named" x={middle} y="71" text-anchor="middle">
            Log begins {minuteLabel(begin)}
          </text>
        </>
      )}
    </>
  );
}

interface DayProps {
  readonly window: AnalyticsWindow;
  readonly bucket: FrequencyReport['buckets'][number];
  readonly x: number;
  readonly slot: number;
  readonly yOf: (count: number) => number;
  readonly isPartial: boolean;
}

/** Failures on top of successes. A bar is at least two pixels high, because a lower one is invisible. */
function Day({ window, bucket, x, slot, yOf, isPartial }: DayProps) {
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(size.bottom - yOf(count), 2));
  const gap = slot / 8;
  let bottom = size.bottom;
  return (
    <>
      {outcomes.map((status) => {
        const height = heightOf(bucket[status]);
        bottom -= height;
        if (height === 0) return null;
        const label = `${dayLabel(bucket.date)}${isPartial ? ', partial day' : ''}: ${numberText(bucket[status])} ${outcomeLabels[status]}. Show the events`;
        return (
          <RowsLink key={status} to={dayRows(window, bucket.date, status)} aria-label={label}>
            <title>{label}</title>
            <rect
              class={`bar ${status} ${isPartial ? 'partial' : ''}`}
              x={x + gap + 0.5}
              y={bottom + 0.5}
              width={Math.max(slot - 2 * gap - 1, 1)}
              height={Math.max(height - 1, 1)}
            />
          </RowsLink>
        );
      })}
    </>
  );
}

/** As many day labels as fit, counted from the last day. */
function DayLabels({ buckets, slot, width }: Pick<PlotProps, 'buckets' | 'width'> & { readonly slot: number }) {
  const today = new Date(useStore(useApp().connection.now)).toISOString().slice(0, 10);
  const every = Math.max(1, Math.ceil(labelWidth / slot));
  const xOf = (index: number) => Math.min(size.left + (index + 0.5) * slot, width - labelWidth / 2);
  const last = buckets.length - 1;
  return (
    <svg aria-hidden="true">
      {buckets.map(({ date }, index) => {
        const touchesLast = index < last && xOf(last) - xOf(index) < labelWidth;
        if ((last - index) % every !== 0 || touchesLast) return null;
        const isToday = date === today;
        return (
          <text key={date} class={isToday ? 'named' : ''} x={xOf(index)} y={size.bottom + 18} text-anchor="middle">
            {isToday ? 'today' : dayLabel(date)}
          </text>
        );
      })}
    </svg>
  );
}

function Patterns() {
  return (
    <defs>
      {(['failure', 'partial', 'uncovered'] as const).map((name) => (
        <pattern
          key={name}
          id={`hatch-${name}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${name === 'failure' ? -45 : 45})`}
        >
          <rect class={`hatch-ground ${name}`} width="6" height="6" />
          <rect class={`hatch ${name}`} width="2" height="6" />
        </pattern>
      ))}
    </defs>
  );
}

/** A line with one level per day. */
function stepPath(levels: readonly number[], slot: number): string {
  const steps = levels.map(
    (y, index) => `${index === 0 ? `M${size.left} ` : 'V'}${sharp(y)}H${size.left + (index + 1) * slot}`,
  );
  return steps.join('');
}

/** The nearest position at which a one-pixel line is sharp: between two coordinates. */
function sharp(y: number): number {
  return Math.round(y) + 0.5;
}

function useWidth(container: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

function barsIn(container: Element): SVGAElement[] {
  return [...container.querySelectorAll<SVGAElement>('svg a')];
}

/** All bars are one tab stop; the arrow keys move between them. */
function useOneTabStop(container: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const bars = container.current ? barsIn(container.current) : [];
    const stop = bars.find((bar) => bar === document.activeElement) ?? bars[0];
    for (const bar of bars) bar.setAttribute('tabindex', bar === stop ? '0' : '-1');
  });
  useEffect(() => (container.current ? listen(container.current, { keydown: walk }) : undefined), []);
}

function walk(event: KeyboardEvent): void {
  const bars = barsIn(event.currentTarget as Element);
  const at = bars.indexOf(document.activeElement as SVGAElement);
  const positions = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: bars.length - 1 };
  const targets: Readonly<Record<string, number>> = positions;
  const next = at === -1 ? undefined : bars[targets[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  bars[at]?.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}
