import { plain } from '@shiplog/text';
import type { Ownership } from '../board/ownership.ts';
import { Empty } from '../ui/empty.tsx';
import { type ComparedPair, DifferenceRow } from './difference-row.tsx';
import { type Difference, kindCounts } from './differences.ts';
import type { TeamItems } from './team-groups.ts';
import { TeamTable } from './team-table.tsx';

interface DifferenceTableProps {
  readonly teams: readonly TeamItems<Difference>[];
  readonly pair: ComparedPair;
  readonly ownership: Ownership;
}

export function DifferenceTable({ teams, pair, ownership }: DifferenceTableProps) {
  const { from, to } = pair;
  if (teams.length === 0) {
    return (
      <Empty title="Nothing to compare">
        <p>
          Nothing has succeeded in {plain(from)} or {plain(to)} that matches the filter.
        </p>
      </Empty>
    );
  }
  const head = ['Service', <bdi>{plain(from)}</bdi>, <bdi>{plain(to)}</bdi>, <IsHead to={to} />, 'since'];
  return (
    <TeamTable
      label="Differences"
      className="differences"
      head={head}
      teams={teams}
      counts={countsOf}
      row={(item) => <DifferenceRow key={item.service} item={item} pair={pair} ownership={ownership} />}
      none="No services match."
    />
  );
}

function IsHead({ to }: { readonly to: string }) {
  return (
    <>
      <bdi>{plain(to)}</bdi> is
    </>
  );
}

function countsOf(all: readonly Difference[]): readonly [string, string] {
  const { same, differ } = kindCounts(all);
  return [
    differ === 0 ? '' : differ === 1 ? '1 differs' : `${differ} differ`,
    same === 0 ? '' : differ > 0 || same === 1 ? `${same} the same` : `all ${same} the same`,
  ];
}
