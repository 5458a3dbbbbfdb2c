import type { HeatmapReport } from '@shiplog/contract';
import type { Chart } from './chart-card.tsx';
import { numberText } from './figures.ts';
import { bandsOf, frameOf, plotHeight } from './geometry.ts';
import { Plot } from './plot.tsx';
import { RowsLink } from './rows-link.tsx';
import { hourLabel, weekdayLabel, weekOrder } from './span.ts';
import { windowRows } from './targets.ts';

const hours = Array.from({ length: 24 }, (_, hour) => hour);

export const heatmapChart: Chart<HeatmapReport> = {
  title: 'Hours of the week',
  says: 'Events of any status by UTC weekday and hour. A square combines several days, so it has no link.',
  none: ({ cells }) => (cells.length > 0 ? undefined : 'No events in this period.'),
  table: ({ cells }) => {
    const table = heatTable(cells);
    return {
      head: ['UTC', ...weekOrder.map(weekdayLabel)],
      rows: hours.map((hour) => [hourLabel(hour), ...weekOrder.map((day) => table[day]?.[hour] ?? 0)]),
    };
  },
  draw: (report) => <Heat {...report} />,
};

function Heat({ window, cells }: HeatmapReport) {
  const table = heatTable(cells);
  const steps = heatSteps(heatMax(table));
  return (
    <>
      <p class="wrap fine totals">
        {stepLabels(steps).map((label, index) => (
          <span key={label} class="soft">
            <svg width="12" height="12" aria-hidden="true">
              <HeatMark x={0} y={0} size={12} step={index + 1} steps={steps.length} />
            </svg>
            {label}
          </span>
        ))}
        <RowsLink class="push" to={windowRows(window)}>
          All events
        </RowsLink>
      </p>
      <Plot label="Events by weekday and hour">{(width) => <Squares table={table} steps={steps} width={width} />}</Plot>
    </>
  );
}

interface SquaresProps {
  readonly table: readonly (readonly number[])[];
  readonly steps: readonly number[];
  readonly width: number;
}

function Squares({ table, steps, width }: SquaresProps) {
  const frame = { ...frameOf(width), top: 0, bottom: plotHeight - 24 };
  const columns = bandsOf(hours.map(String), frame, 0);
  const high = (frame.bottom - frame.top) / weekOrder.length;
  const size = Math.min(columns[0]?.width ?? 0, high) - 2;
  return (
    <>
      {weekOrder.map((day, row) => (
        <g key={day}>
          <text x={frame.left - 8} y={frame.top + high * row + high / 2 + 4} text-anchor="end">
            {weekdayLabel(day)}
          </text>
          {columns.map(({ middle, x, width: columnWidth }, hour) => {
            const count = table[day]?.[hour] ?? 0;
            const y = frame.top + high * row;
            return (
              <g key={hour}>
                <title>{`${weekdayLabel(day)} ${hourLabel(hour)} UTC: ${numberText(count)}`}</title>
                <rect
                  class="heat-ground"
                  x={x + 0.5}
                  y={y + 0.5}
                  width={Math.max(columnWidth - 1, 1)}
                  height={high - 1}
                />
                <HeatMark
                  x={middle - size / 2}
                  y={y + (high - size) / 2}
                  size={size}
                  step={stepOf(count, steps)}
                  steps={steps.length}
                />
              </g>
            );
          })}
        </g>
      ))}
      {columns.map(({ x }, hour) =>
        hour % 6 === 0 ? (
          <text key={hour} x={x} y={frame.bottom + 18}>
            {hourLabel(hour)}
          </text>
        ) : undefined,
      )}
    </>
  );
}

/** A square. Its size shows its step, so that counts are visible without colour. */
function HeatMark({
  x,
  y,
  size,
  step,
  steps,
}: {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly step: number;
  readonly steps: number;
}) {
  if (step === 0) return null;
  const side = Math.max(3, size * Math.sqrt(step / Math.max(steps, 1)));
  return (
    <rect class="heat-mark" x={x + (size - side) / 2} y={y + (size - side) / 2} width={side} height={side} rx="1" />
  );
}

/** The maximum number of sizes: viewers can't distinguish more. */
const stepsMax = 4;

/** The upper bound of each step, ascending. */
export function heatSteps(max: number): number[] {
  const steps = Math.min(stepsMax, max);
  return Array.from({ length: steps }, (_, index) => Math.ceil((max * (index + 1)) / steps));
}

export function stepOf(count: number, steps: readonly number[]): number {
  if (count === 0) return 0;
  const step = steps.findIndex((most) => count <= most);
  return step === -1 ? steps.length : step + 1;
}

export function stepLabels(steps: readonly number[]): string[] {
  return steps.map((most, index) => {
    const least = (steps[index - 1] ?? 0) + 1;
    return least === most ? `${most}` : `${least}–${most}`;
  });
}

/** Counts by weekday (0 is Sunday) and hour; the service omits zeros (aggregation rule 4). */
export function heatTable(cells: HeatmapReport['cells']): number[][] {
  const table = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  for (const { day_of_week, hour, count } of cells) {
    const day = table[day_of_week];
    if (day && hour in day) day[hour] = count;
  }
  return table;
}

export function heatMax(table: readonly (readonly number[])[]): number {
  return Math.max(...table.flat());
}
