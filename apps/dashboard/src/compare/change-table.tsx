import { useMemo } from 'preact/hooks';
import { dayTime } from '../board/day-time.ts';
import type { Ownership } from '../board/ownership.ts';
import { useAddress, useNow } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { ChangeRow } from './change-row.tsx';
import type { Change } from './changes.ts';
import { teamGroups } from './team-groups.ts';
import { TeamTable } from './team-table.tsx';

interface ChangeTableProps {
  readonly changes: readonly Change[];
  readonly earlier: string;
  /** The later time is in the past, too. */
  readonly isPast: boolean;
  readonly ownership: Ownership;
}

const listedMax = 500;

export function ChangeTable({ changes, earlier, isPast, ownership }: ChangeTableProps) {
  const isSame = useAddress().comparison.kind === 'same';
  const thenTime = dayTime(Date.parse(earlier), useNow());
  const of = useMemo(() => changes.filter(({ kind }) => (kind === 'same') === isSame), [changes, isSame]);
  const teams = useMemo(() => {
    const listed = new Set(of.slice(0, listedMax));
    return teamGroups(changes, (change) => listed.has(change), ownership);
  }, [changes, of, ownership]);
  if (changes.length === 0) {
    return (
      <Empty title="Nothing to compare">
        <p>No deployments match the filter.</p>
      </Empty>
    );
  }
  return (
    <div class="stack">
      <TeamTable
        label="Changes"
        className="changes"
        head={['Service', 'Where', thenTime, isPast ? 'later' : 'now', 'What', 'When, who', 'Events']}
        teams={teams}
        counts={countsOf}
        row={(change) => (
          <ChangeRow
            key={JSON.stringify([change.service, change.environment])}
            {...{ change, earlier, thenTime, ownership }}
          />
        )}
        none={isSame ? 'Everything changed.' : `Nothing changed since ${thenTime}.`}
      />
      {of.length > listedMax && (
        <p class="small">
          Only the newest {listedMax} of {of.length} are listed; choose an environment or a team. Markdown and CSV have
          every change.
        </p>
      )}
    </div>
  );
}

function countsOf(all: readonly Change[]): readonly [string, string] {
  const same = all.filter(({ kind }) => kind === 'same').length;
  const changed = all.length - same;
  return [
    changed === 0 ? '' : `${changed} changed`,
    same === 0 ? '' : changed > 0 || same === 1 ? `${same} unchanged` : `all ${same} unchanged`,
  ];
}
