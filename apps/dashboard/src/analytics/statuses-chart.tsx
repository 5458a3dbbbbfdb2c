import type { StatusDistributionReport } from '@shiplog/contract';
import type { Answer } from '../ui/answer.ts';
import { StatusLabel } from '../ui/status.tsx';
import { BarRows } from './bar-rows.tsx';
import { ChartCard } from './chart-card.tsx';
import { RowsLink } from './rows-link.tsx';
import { cell } from './table.tsx';
import { statusRows } from './targets.ts';

export function StatusesChart({ answer }: { readonly answer: Answer<StatusDistributionReport> }) {
  return (
    <ChartCard
      title="Statuses"
      says="Events by status. A deployment usually has several events, such as queued, running and succeeded."
      answer={answer}
      none={() => undefined}
      table={({ window, statuses }) => ({
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
      })}
    >
      {({ window, statuses }) => (
        <BarRows
          rows={statuses.map(({ status, count }) => ({
            key: status,
            name: <StatusLabel status={status} />,
            count,
            tone: `is-${status}`,
            to: statusRows(window, status),
          }))}
        />
      )}
    </ChartCard>
  );
}
