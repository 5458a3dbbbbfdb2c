import { versionOf } from '@shiplog/text';
import { eventNamed, eventShown, runningIn, slotBoxesIn } from '../board/box.ts';
import type { BoardContext } from '../board/context.ts';
import { teamOf } from '../board/ownership.ts';
import type { Shown } from '../board/shown.ts';
import { csvOf } from '../ui/csv.ts';

/** The rows and columns that the board shows, one line per service and environment. */
export function boardCsv({ rows, columns }: Shown, { futureRows, ownership, stages }: BoardContext): string {
  const head = ['service', 'team', 'environment', 'stage', 'version', 'status', 'happened_at', 'actor', 'last_success'];
  return csvOf(
    head,
    rows.flatMap((row) =>
      slotBoxesIn(row, columns, futureRows).map(({ service, environment, box }) => {
        const { status, happened_at, actor } = eventShown(box);
        const success = runningIn(box);
        return [
          service,
          teamOf(ownership, service) ?? null,
          environment,
          stages.ofEnvironment.get(environment)?.name ?? null,
          versionOf(eventNamed(box)),
          status,
          happened_at,
          actor ?? null,
          success ? versionOf(success) : null,
        ];
      }),
    ),
  );
}
