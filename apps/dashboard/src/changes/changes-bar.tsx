import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { emptyBoard } from '../board/board.ts';
import { EnvironmentMenu } from '../filters/environment-menu.tsx';
import { FilterChip, GlobChips } from '../filters/glob-chips.tsx';
import { RangeControl } from '../filters/range-control.tsx';
import { ShareMenu } from '../filters/share-menu.tsx';
import { TeamMenu } from '../filters/team-menu.tsx';
import { Search } from '../filters/toolbar.tsx';
import type { RangeName } from '../range/range.ts';
import { useAddress, useApp, useBoard } from '../ui/app.ts';
import { downloadCsv } from '../ui/download-csv.ts';
import { statusLabel } from '../ui/status.tsx';
import { type ChangeList, changesCsv } from './change-list.ts';
import { defaultRange, type Question } from './question.ts';

const names: readonly RangeName[] = ['1h', '24h', 'today', '7d', 'yesterday', '30d', 'this-month', 'last-month'];

interface ChangesBarProps {
  readonly question: Question | undefined;
  /** The number of failed changes in the range. */
  readonly failed: number | undefined;
  readonly list?: ChangeList | undefined;
}

/** The filters and the time range. A single deployment has neither, so only its chip is left. */
export function ChangesBar({ question, failed, list }: ChangesBarProps) {
  const { navigation } = useApp();
  const { filter, status, actor, deployment, range = defaultRange } = useAddress();
  const board = useBoard() ?? emptyBoard;
  const isFailed = question?.state === 'failure';
  const chips = { status: status && status !== 'failure' ? statusLabel(status) : undefined, actor, deployment };
  return (
    <div class="bar scope-bar changes-bar" role="toolbar" aria-label="Filters">
      {deployment === undefined && (
        <>
          <Search services={[...board.rows.keys()]} environments={board.environments} />
          <EnvironmentMenu isProductionDefault />
          <TeamMenu />
          <button
            type="button"
            class="chip"
            aria-pressed={isFailed}
            onClick={() =>
              navigation.go({ status: undefined, filter: { ...filter, only: isFailed ? undefined : 'failed' } })
            }
          >
            <span class="row bad">
              <Mark shape="bad" />
            </span>{' '}
            Failed <b class="chip-count">{failed}</b>
          </button>
          <GlobChips kind="services" />
        </>
      )}
      {Object.entries(chips).map(
        ([what, label]) =>
          label && (
            <FilterChip key={what} what={what} label={label} onRemove={() => navigation.go({ [what]: undefined })} />
          ),
      )}
      <span class="space" />
      {deployment === undefined && <RangeControl range={range} names={names} />}
      <ShareMenu>
        {list && (
          <button
            type="button"
            class="chip"
            title={list.next === null ? undefined : `The ${list.items.length} deployments that are loaded`}
            onClick={() => downloadCsv('shiplog-changes.csv', changesCsv(list.items))}
          >
            Download CSV
          </button>
        )}
      </ShareMenu>
    </div>
  );
}
