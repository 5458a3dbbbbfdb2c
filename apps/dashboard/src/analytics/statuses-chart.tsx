import type { StatusDistributionReport } from '@shiplog/contract';
import { linkTo } from '../state/navigation.ts';
import type { Answer } from '../ui/answer.ts';
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
          <a href={linkTo(statusRows(window, status))}>
            <StatusLabel status={status} />
          </a>,
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
            href: linkTo(statusRows(window, status)),
          }))}
        />
      )}
    </ChartCard>
  );
}
