import { arrangedGroupKey } from '../board/arrangement.ts';
import { toggledGroup, toggledHealthy } from '../board/lines.ts';
import type { Shown } from '../board/shown.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { BoardSummary } from './board-summary.tsx';
import { Grid } from './grid.tsx';
import type { FoldingLine } from './keyboard.ts';
import type { Density } from './layout.ts';
import { useArrangement } from './use-arrangement.ts';

interface ArrangedGridProps {
  readonly shown: Shown;
  readonly density: Density;
}

/** The grid, grouped, ordered and folded, with a summary above. */
export function ArrangedGrid({ shown, density }: ArrangedGridProps) {
  const { navigation, preferences } = useApp();
  const { board } = useAddress();
  const { absoluteTimes } = useStore(preferences);
  const arranged = useArrangement(shown);
  const change = (changed: Partial<typeof board>) => navigation.go({ board: { ...board, ...changed } }, 'replace');
  const toggle = ({ kind, group, isOpen }: FoldingLine) => {
    const key = arrangedGroupKey(group);
    change(kind === 'healthy' ? toggledHealthy(key, board) : toggledGroup({ key, group, isOpen }, board));
  };
  return (
    <>
      <BoardSummary arranged={arranged} counts={shown.counts} all={shown.all} />
      <Grid
        lines={arranged.lines}
        plan={arranged.plan}
        failed={shown.found.failed}
        density={density}
        absolute={absoluteTimes}
        onOpen={(service, environment) => navigation.go({ slot: { service, environment } })}
        onToggle={toggle}
        onOthers={() => change({ others: !board.others })}
      />
    </>
  );
}
