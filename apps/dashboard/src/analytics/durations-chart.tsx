import type { DurationHistogramReport } from '@shiplog/contract';
import type { Chart } from './chart-card.tsx';
import { FigureButton } from './figure-button.tsx';
import { numberText, spanText } from './figures.ts';
import { bandsOf, durationX, type Frame, frameOf, riseOf, wholeTicks } from './geometry.ts';
import { MarkLink, NameAxis, Plot, RiseAxis } from './plot.tsx';
import { RowsLink } from './rows-link.tsx';
import { cell } from './table.tsx';
import { deploymentRows } from './targets.ts';

type Bin = DurationHistogramReport['bins'][number];

export const durationsChart: Chart<DurationHistogramReport> = {
  title: 'Durations',
  says: 'Deployments by the minutes from first to last event. Deployments with a single event are left out. A bar links to all events of the period.',
  none: ({ bins }) =>
    bins.some(({ count }) => count > 0) ? undefined : 'No deployment has more than one event in this period.',
  table: ({ window, bins, p50, p95 }) => ({
    head: ['Minutes', 'Deployments'],
    rows: [
      ...bins.map((bin) => [
        cell(binLabel(bin), <RowsLink to={deploymentRows(window)}>{binLabel(bin)}</RowsLink>),
        bin.count,
      ]),
      ...[['half', p50] as const, ['95 %', p95] as const].map(([name, value]) => [
        `${name} within`,
        cell(value, value === null ? 'none' : spanText(value)),
      ]),
    ],
  }),
  draw: (report) => (
    <>
      <p class="wrap fine totals">
        {[['half', report.p50] as const, ['95 %', report.p95] as const].map(
          ([name, value]) =>
            value !== null && (
              <FigureButton key={name} figure="durations">
                {name} within <b>{spanText(value)}</b>
              </FigureButton>
            ),
        )}
      </p>
      <Plot label="Deployments by duration. Use the arrow keys to move between bars.">
        {(width) => <Bins {...report} frame={frameOf(width)} />}
      </Plot>
    </>
  ),
};

function Bins({ window, bins, p50, p95, frame: outer }: DurationHistogramReport & { readonly frame: Frame }) {
  // Leave space above the bars for two lines of text with the percentiles.
  const frame = { ...outer, top: outer.top + 24 };
  const rise = riseOf(Math.max(...bins.map(({ count }) => count)), frame);
  const bands = bandsOf(bins.map(binLabel), frame, 0.1);
  return (
    <>
      <RiseAxis frame={frame} rise={rise} ticks={wholeTicks(rise)} text={numberText} />
      {bins.map((bin, index) => {
        const { x = 0, width = 0 } = bands[index] ?? {};
        const y = bin.count === 0 ? frame.bottom : Math.min(rise.yOf(bin.count), frame.bottom - 2);
        return (
          <MarkLink
            key={bin.label}
            to={deploymentRows(window)}
            label={`${binLabel(bin)} min: ${numberText(bin.count)} deployments. Show the events of the period`}
          >
            <rect class="hit" x={x} y={frame.top} width={width} height={frame.bottom - frame.top} />
            {bin.count > 0 && (
              <rect
                class="bar-plain"
                x={x + 0.5}
                y={y + 0.5}
                width={Math.max(width - 1, 1)}
                height={Math.max(frame.bottom - y - 1, 1)}
              />
            )}
          </MarkLink>
        );
      })}
      <NameAxis bands={bands} frame={frame} />
      {p50 !== null && (
        <Percentile name="half" minutes={p50} x={durationX(p50, bins, bands)} frame={frame} labelY={10} />
      )}
      {p95 !== null && (
        <Percentile name="95 %" minutes={p95} x={durationX(p95, bins, bands)} frame={frame} labelY={26} />
      )}
    </>
  );
}

interface PercentileProps {
  readonly name: string;
  readonly minutes: number;
  readonly x: number;
  readonly frame: Frame;
  readonly labelY: number;
}

/** A vertical line for a percentile, with its label on the side that has enough space. */
function Percentile({ name, minutes, x, frame, labelY }: PercentileProps) {
  const isLeft = x > (frame.left + frame.right) / 2;
  return (
    <g class="percentile">
      <line x1={x} x2={x} y1={labelY - 8} y2={frame.bottom} />
      <text x={isLeft ? x - 6 : x + 6} y={labelY} text-anchor={isLeft ? 'end' : 'start'}>
        {name} {spanText(minutes)}
      </text>
    </g>
  );
}

function binLabel({ lower_minutes, upper_minutes }: Bin): string {
  return upper_minutes === null ? `${lower_minutes}+` : `${lower_minutes}–${upper_minutes}`;
}
