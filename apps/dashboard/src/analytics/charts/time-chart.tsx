import type { StagesReport } from '@shiplog/contract';
import { StatusLabel, statusLabel } from '../../ui/status.tsx';
import { FigureButton } from '../figure-button.tsx';
import { spanText } from '../figures.ts';
import { type Chart, SlotTable } from './chart.tsx';

export const timeChart: Chart<StagesReport> = {
  title: 'Time in each status',
  says: 'The dark bar is the median, the outline the 95th percentile.',
  none: ({ stages }) => (stages.some(({ count }) => count > 0) ? undefined : 'No status changes in this period.'),
  csv: ({ stages, slowest }) => ({
    head: ['Service', 'Environment', 'Status', 'Times', 'Median (min)', '95 % (min)', 'Total (min)'],
    rows: [
      ...stages.map(({ status, count, p50, p95, total_minutes }) => {
        return ['all', 'all', statusLabel(status), count, p50, p95, total_minutes];
      }),
      ...slowest.map(({ service, environment, status, count, p50, p95 }) => {
        return [service, environment, statusLabel(status), count, p50, p95, null];
      }),
    ],
  }),
  draw: ({ stages, slowest }) => (
    <>
      <Times stages={stages} />
      <SlotTable
        title="Slowest"
        head={['status', 'half', '95 %']}
        rows={slowest}
        cells={({ status, p50, p95 }) => [statusLabel(status), minutesText(p50), minutesText(p95)]}
      />
    </>
  ),
};

function minutesText(value: number | null): string {
  return value === null ? '—' : spanText(value);
}

function Times({ stages }: Pick<StagesReport, 'stages'>) {
  const greatest = Math.max(1, ...stages.map(({ p95 }) => p95 ?? 0));
  const share = (value: number | null) => ({ width: `${((value ?? 0) / greatest) * 100}%` });
  return (
    <ul class="times fine">
      <li class="soft" aria-hidden="true">
        <span />
        <span>half</span>
        <span />
        <span>95 %</span>
        <span class="right">total</span>
      </li>
      {stages.map(({ status, p50, p95, total_minutes }) => (
        <li key={status}>
          <StatusLabel status={status} />
          {p50 === null ? (
            <span class="soft">none</span>
          ) : (
            <FigureButton figure="stages" class="figure strong">
              {spanText(p50)}
            </FigureButton>
          )}
          <span class="times-track" aria-hidden="true">
            <i class="times-most" style={share(p95)} />
            <i class="times-half" style={share(p50)} />
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
  );
}
