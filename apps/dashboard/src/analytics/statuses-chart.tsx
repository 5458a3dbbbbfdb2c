import type { StatusDistributionReport } from '@shiplog/contract';
import type { Answer } from '../ui/answer.ts';
import { Link } from '../ui/link.tsx';
import { StatusLabel } from '../ui/status.tsx';
import { BarRows } from './bar-rows.tsx';
import { ChartCard } from './chart-card.tsx';
import { numberText } from './figures.ts';
import { statusRows } from './targets.ts';

export function StatusesChart({ answer }: { readonly answer: Answer<StatusDistributionReport> }) {
  return (
    <ChartCard
      title="Statuses"
      says="Rows by status. One deployment usually has several, such as queued, running and succeeded."
      answer={answer}
      none={() => undefined}
      table={({ window, statuses }) => ({
        head: ['Status', 'Rows'],
        rows: statuses.map(({ status, count }) => [
          <Link to={statusRows(window, status)}>
            <StatusLabel status={status} />
          </Link>,
          numberText(count),
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
