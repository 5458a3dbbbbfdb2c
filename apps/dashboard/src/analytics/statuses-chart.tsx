import type { StatusDistributionReport } from '@shiplog/contract';
import { StatusLabel } from '../ui/status.tsx';
import { BarRows } from './bar-rows.tsx';
import type { Chart } from './chart-card.tsx';
import { RowsLink } from './rows-link.tsx';
import { cell } from './table.tsx';
import { statusRows } from './targets.ts';

export const statusesChart: Chart<StatusDistributionReport> = {
  title: 'Statuses',
  says: 'Events by status. A deployment usually has several events, such as queued, running and succeeded.',
  table: ({ window, statuses }) => ({
    head: ['Status', 'Events'],
    rows: statuses.map(({ status, count }) => [
      cell(
        status,
        <RowsLink to={statusRows(window, status)}>
          <StatusLabel status={status} />
        </RowsLink>,
      ),
      count,
    ]),
  }),
  draw: ({ window, statuses }) => (
    <BarRows
      rows={statuses.map(({ status, count }) => ({
        key: status,
        name: <StatusLabel status={status} />,
        count,
        tone: `is-${status}`,
        to: statusRows(window, status),
      }))}
    />
  ),
};
