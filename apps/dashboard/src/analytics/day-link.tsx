import type { AnalyticsWindow, Status } from '@shiplog/contract';
import { RowsLink } from './rows-link.tsx';
import { dayLabel } from './span.ts';
import { dayRows } from './targets.ts';

interface DayLinkProps {
  readonly window: AnalyticsWindow;
  readonly date: string;
  readonly status?: Status;
}

export function DayLink({ window, date, status }: DayLinkProps) {
  return <RowsLink to={dayRows(window, date, status)}>{dayLabel(date)}</RowsLink>;
}
