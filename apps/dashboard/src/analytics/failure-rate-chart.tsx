import type { ChangeFailureRateReport } from '@shiplog/contract';
import type { Chart } from './chart-card.tsx';
import { percentText } from './figures.ts';
import { bandsOf, type Frame, frameOf, linePath, riseOf } from './geometry.ts';
import { DayAxis, MarkLink, Plot, RiseAxis } from './plot.tsx';
import { DayLink } from './rows-link.tsx';
import { dayLabel } from './span.ts';
import { cell } from './table.tsx';
import { dayRows } from './targets.ts';

/** The minimum top of the axis, which leaves space above the threshold. */
const leastTop = 0.3;

/** The space for the threshold's label, to the right of the axis. */
const labelWidth = 32;

export const failureRateChart: Chart<ChangeFailureRateReport> = {
  title: 'Change failure rate per day',
  says: 'Failures as a share of the deployments that ended, by UTC day; 0 % on a day without any. A square marks a day above the threshold.',
  table: ({ window, buckets, elite_threshold }) => ({
    head: ['Day', 'Rate', `Up to ${percentText(elite_threshold)}`],
    rows: buckets.map(({ date, rate }) => [
      cell(date, <DayLink key={date} window={window} date={date} status="failure" />),
      cell(rate, percentText(rate)),
      rate > elite_threshold ? 'no' : 'yes',
    ]),
  }),
  draw: (report) => (
    <>
      <Threshold {...report} />
      <Plot label="Change failure rate per day. Use the arrow keys to move between days.">
        {(width) => <Rates {...report} frame={frameOf(width - labelWidth)} />}
      </Plot>
    </>
  ),
};

function Threshold({ buckets, elite_threshold }: ChangeFailureRateReport) {
  const days = buckets.filter(({ rate }) => rate > elite_threshold).length;
  return (
    <p class="wrap fine totals">
      <span>
        <svg class="key" aria-hidden="true">
          <line class="threshold" x1="0" x2="20" y1="6.5" y2="6.5" />
        </svg>
        elite up to {percentText(elite_threshold)}
      </span>
      <span>
        <svg class="key narrow" aria-hidden="true">
          <Point x={6} y={6} isHigh />
        </svg>
        above it on {days === 1 ? '1 day' : `${days} days`}
      </span>
    </p>
  );
}

function Rates({ window, buckets, elite_threshold, frame }: ChangeFailureRateReport & { readonly frame: Frame }) {
  const rates = buckets.map(({ rate }) => rate);
  const rise = riseOf(Math.max(leastTop, ...rates), frame);
  const bands = bandsOf(
    buckets.map(({ date }) => date),
    frame,
  );
  const thresholdY = Math.round(rise.yOf(elite_threshold)) + 0.5;
  return (
    <>
      <RiseAxis frame={frame} rise={rise} ticks={rise.ticks} text={percentText} />
      <line class="threshold" x1={frame.left} x2={frame.right} y1={thresholdY} y2={thresholdY} />
      <path class="rate-line" d={linePath(rates, bands, rise)} />
      {bands.map(({ key, middle, x, width }, index) => {
        const rate = rates[index] ?? 0;
        return (
          <MarkLink
            key={key}
            to={dayRows(window, key, 'failure')}
            label={`${dayLabel(key)}: ${percentText(rate)} failed. Show the failures`}
          >
            <rect class="hit" x={x} y={frame.top} width={width} height={frame.bottom - frame.top} />
            <Point x={middle} y={rise.yOf(rate)} isHigh={rate > elite_threshold} />
          </MarkLink>
        );
      })}
      <text class="threshold-label" x={frame.right + 6} y={thresholdY + 3.5}>
        {percentText(elite_threshold)}
      </text>
      <DayAxis bands={bands} frame={frame} />
    </>
  );
}

function Point({ x, y, isHigh }: { readonly x: number; readonly y: number; readonly isHigh: boolean }) {
  return isHigh ? (
    <rect class="point high" x={x - 3.5} y={y - 3.5} width="7" height="7" />
  ) : (
    <circle class="point" cx={x} cy={y} r="2.5" />
  );
}
