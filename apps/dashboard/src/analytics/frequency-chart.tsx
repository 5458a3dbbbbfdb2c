import type { FrequencyReport } from '@shiplog/contract';
import type { Answer } from '../ui/answer.ts';
import { Link } from '../ui/link.tsx';
import { ChartCard } from './chart-card.tsx';
import { DayLink } from './day-link.tsx';
import { numberText } from './figures.ts';
import { type DayBar, type Frame, frameOf, frequencyBars, riseOf, wholeTicks } from './geometry.ts';
import { DayAxis, MarkLink, Plot, RiseAxis } from './plot.tsx';
import { dayLabel } from './span.ts';
import { dayRows, statusRows } from './targets.ts';

const outcomes = ['failure', 'success'] as const;
const outcomeLabels = { success: 'succeeded', failure: 'failed' };

export function FrequencyChart({ answer }: { readonly answer: Answer<FrequencyReport> }) {
  return (
    <ChartCard
      title="Deployments a day"
      says="Rows that ended in success or failure, by UTC day. They are rows: a deployment that is run again counts again."
      answer={answer}
      none={({ buckets }) =>
        buckets.some(({ success, failure }) => success + failure > 0) ? undefined : 'Nothing ended in this period.'
      }
      table={({ window, buckets }) => ({
        head: ['Day', 'Succeeded', 'Failed'],
        rows: buckets.map(({ date, success, failure }) => [
          <DayLink key={date} window={window} date={date} />,
          numberText(success),
          numberText(failure),
        ]),
      })}
    >
      {(report) => (
        <>
          <Totals {...report} />
          <Plot label="Successes and failures a day. The arrow keys lead from bar to bar.">
            {(width) => <Bars {...report} frame={frameOf(width)} />}
          </Plot>
        </>
      )}
    </ChartCard>
  );
}

/** Both series with their names and totals, instead of a legend. */
function Totals({ window, buckets }: FrequencyReport) {
  return (
    <p class="totals">
      {outcomes.map((status) => (
        <Link key={status} to={statusRows(window, status)}>
          <span class={`swatch ${status}`} />
          {outcomeLabels[status]} <b>{numberText(buckets.reduce((sum, bucket) => sum + bucket[status], 0))}</b>
        </Link>
      ))}
    </p>
  );
}

function Bars({ window, buckets, frame }: FrequencyReport & { readonly frame: Frame }) {
  const rise = riseOf(Math.max(...buckets.map(({ success, failure }) => success + failure)), frame);
  const bars = frequencyBars(buckets, frame, rise);
  return (
    <>
      <defs>
        <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="5" height="5" />
          <rect class="hatch-line" width="2" height="5" />
        </pattern>
      </defs>
      <RiseAxis frame={frame} rise={rise} ticks={wholeTicks(rise)} text={numberText} />
      {bars.map((bar, index) =>
        outcomes.map((status) => {
          const count = buckets[index]?.[status] ?? 0;
          if (count === 0) return undefined;
          const label = `${dayLabel(bar.key)}: ${numberText(count)} ${outcomeLabels[status]}. Show the rows`;
          return (
            <MarkLink key={`${bar.key} ${status}`} to={dayRows(window, bar.key, status)} label={label}>
              <Bar bar={bar} status={status} />
            </MarkLink>
          );
        }),
      )}
      <DayAxis bands={bars} frame={frame} />
    </>
  );
}

/** Inset by half of its outline, so that neighbours do not touch. */
function Bar({ bar, status }: { readonly bar: DayBar; readonly status: (typeof outcomes)[number] }) {
  const { y, height } = bar[status];
  return (
    <rect
      class={`bar-${status}`}
      x={bar.x + 0.5}
      y={y + 0.5}
      width={Math.max(bar.width - 1, 1)}
      height={Math.max(height - 1, 1)}
    />
  );
}
