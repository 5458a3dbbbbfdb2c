import type { FrequencyReport } from '@shiplog/contract';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import type { Chart, ChartContext } from './chart-card.tsx';
import { FigureButton } from './figure-button.tsx';
import { numberText } from './figures.ts';
import { type DayBar, type Frame, frameOf, frequencyBars, riseOf, stepPath, wholeTicks } from './geometry.ts';
import { partialDay } from './period.ts';
import { DayAxis, MarkLink, Plot, RiseAxis } from './plot.tsx';
import { DayLink, RowsLink } from './rows-link.tsx';
import { dayLabel } from './span.ts';
import { cell } from './table.tsx';
import { dayRows, statusRows } from './targets.ts';

const outcomes = ['failure', 'success'] as const;
const outcomeLabels = { success: 'succeeded', failure: 'failed' };

export const frequencyChart: Chart<FrequencyReport> = {
  title: 'Deployments per day',
  says: 'Deployments that succeeded or failed, by UTC day; a deployment that is run again counts again.',
  none: ({ buckets }) =>
    buckets.some(({ success, failure }) => success + failure > 0) ? undefined : 'Nothing ended in this period.',
  table: ({ window, buckets }, { before }) => ({
    head: ['Day', 'Succeeded', 'Failed', ...(before ? ['Period before'] : [])],
    rows: buckets.map(({ date, success, failure }, index) => [
      cell(date, <DayLink key={date} window={window} date={date} />),
      success,
      failure,
      ...(before ? [before[index] ?? null] : []),
    ]),
  }),
  room: 'wide',
  draw: (report, { before }) => (
    <>
      <Totals {...report} before={before} />
      <Plot label="Successes and failures per day. Use the arrow keys to move between bars.">
        {(width) => <Bars {...report} before={before} frame={frameOf(width)} />}
      </Plot>
    </>
  ),
};

type Report = FrequencyReport & Pick<ChartContext, 'before'>;

/** The legend, with the total of each series. */
function Totals({ window, buckets, before }: Report) {
  const partial = partialDay(window, useStore(useApp().connection.now));
  const ended = buckets.reduce((sum, { success, failure }) => sum + success + failure, 0);
  return (
    <p class="wrap fine totals">
      {outcomes.map((status) => (
        <RowsLink key={status} to={statusRows(window, status)}>
          <span class={`swatch ${status}`} />
          {outcomeLabels[status]} <b>{numberText(buckets.reduce((sum, bucket) => sum + bucket[status], 0))}</b>
        </RowsLink>
      ))}
      {partial && (
        <span>
          <span class="swatch part" />
          day not over
        </span>
      )}
      <FigureButton figure="deployment_frequency">{numberText(ended)} in all</FigureButton>
      {before && (
        <span>
          <svg class="key" aria-hidden="true">
            <path class="before-line" d="M0 9.5H10V3.5H20" />
          </svg>
          period before <b>{numberText(before.reduce((sum, count) => sum + count, 0))}</b>
        </span>
      )}
    </p>
  );
}

function Bars({ window, buckets, before = [], frame }: Report & { readonly frame: Frame }) {
  const partial = partialDay(window, useStore(useApp().connection.now));
  const rise = riseOf(Math.max(...before, ...buckets.map(({ success, failure }) => success + failure)), frame);
  const bars = frequencyBars(buckets, frame, rise);
  return (
    <>
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="5" height="5" />
          <rect class="hatch-line" width="2" height="5" />
        </pattern>
        <pattern id="hatch-part" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect class="hatch-part" width="2" height="6" />
        </pattern>
      </defs>
      <RiseAxis frame={frame} rise={rise} ticks={wholeTicks(rise)} text={numberText} />
      {bars.map((bar, index) =>
        outcomes.map((status) => {
          const count = buckets[index]?.[status] ?? 0;
          if (count === 0) return undefined;
          const isPart = bar.key === partial?.date;
          const day = isPart ? `${dayLabel(bar.key)}, ${partial.name}` : dayLabel(bar.key);
          const label = `${day}: ${numberText(count)} ${outcomeLabels[status]}. Show the events`;
          return (
            <MarkLink key={`${bar.key} ${status}`} to={dayRows(window, bar.key, status)} label={label}>
              <Bar bar={bar} status={status} isPart={isPart} />
            </MarkLink>
          );
        }),
      )}
      {before.length > 0 && <path class="before-line" d={stepPath(before, bars, frame, rise)} />}
      <DayAxis bands={bars} frame={frame} last={partial?.name} />
    </>
  );
}

interface BarProps {
  readonly bar: DayBar;
  readonly status: (typeof outcomes)[number];
  readonly isPart: boolean;
}

/** A bar, inset by half of its outline so that adjacent bars don't touch. */
function Bar({ bar, status, isPart }: BarProps) {
  const { y, height } = bar[status];
  return (
    <rect
      class={`bar-${status} ${isPart ? 'part' : ''}`}
      x={bar.x + 0.5}
      y={y + 0.5}
      width={Math.max(bar.width - 1, 1)}
      height={Math.max(height - 1, 1)}
    />
  );
}
