import type { StagesReport } from '@shiplog/contract';
import { StatusLabel, statusLabel } from '../ui/status.tsx';
import type { Chart } from './chart-card.tsx';
import { FigureButton } from './figure-button.tsx';
import { spanText } from './figures.ts';
import { firstOf, ListTable } from './list-table.tsx';
import { SlotLink, slotCells } from './rows-link.tsx';
import { type Cell, cell } from './table.tsx';

/** The table shows every slot in the response. */
const slowestMax = 5;

export const timeChart: Chart<StagesReport> = {
  title: 'Time in each status',
  says: 'The dark bar is the median, the outline the 95th percentile.',
  none: ({ stages }) => (stages.some(({ count }) => count > 0) ? undefined : 'No status changes in this period.'),
  table: ({ stages, slowest }) => ({
    head: ['Service', 'Environment', 'Status', 'Times', 'Median (min)', '95 % (min)', 'Total (min)'],
    rows: [
      ...stages.map(({ status, count, p50, p95, total_minutes }): Cell[] => [
        'all',
        'all',
        statusLabel(status),
        count,
        minutes(p50),
        minutes(p95),
        minutes(total_minutes),
      ]),
      ...slowest.map((one): Cell[] => [
        ...slotCells(one),
        statusLabel(one.status),
        one.count,
        minutes(one.p50),
        minutes(one.p95),
        null,
      ]),
    ],
  }),
  room: 'half',
  draw: (report) => <Times {...report} />,
};

function minutes(value: number | null): Cell {
  return cell(value, value === null ? '—' : spanText(value));
}

function Times({ stages, slowest }: StagesReport) {
  const greatest = Math.max(1, ...stages.map(({ p95 }) => p95 ?? 0));
  return (
    <>
      <ul class="stack gap-4 times">
        <li class="times-head small" aria-hidden="true">
          <span />
          <span>half</span>
          <span />
          <span>95 %</span>
          <span class="right nowrap">total</span>
        </li>
        {stages.map(({ status, p50, p95, total_minutes }) => (
          <li key={status} class="fine">
            <StatusLabel status={status} />
            {p50 === null ? (
              <span class="soft">none</span>
            ) : (
              <FigureButton figure="stages" class="figure strong">
                {spanText(p50)}
              </FigureButton>
            )}
            <span class="times-track" aria-hidden="true">
              <span class="times-most" style={{ width: `${((p95 ?? 0) / greatest) * 100}%` }} />
              <span class="times-half" style={{ width: `${((p50 ?? 0) / greatest) * 100}%` }} />
            </span>
            <span>
              <span class="unseen">95 % within </span>
              {p95 === null ? '' : spanText(p95)}
            </span>
            <span class="right nowrap soft">
              <span class="unseen">total </span>
              {total_minutes === 0 ? '' : spanText(total_minutes)}
            </span>
          </li>
        ))}
      </ul>
      {slowest.length > 0 && (
        <ListTable
          head={[firstOf('Slowest', slowestMax, slowest.length), 'status', 'half', '95 %']}
          rows={slowest
            .slice(0, slowestMax)
            .map((one) => [
              <SlotLink slot={one} />,
              statusLabel(one.status),
              one.p50 === null ? '—' : spanText(one.p50),
              one.p95 === null ? '—' : spanText(one.p95),
            ])}
        />
      )}
    </>
  );
}
