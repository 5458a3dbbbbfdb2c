import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { grouped } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { SlotBox } from '../board/box.ts';
import { type Column, otherStages } from '../board/columns.ts';
import type { Notices } from '../board/notices.ts';
import { columnTitle, stageTitle } from '../board/titles.ts';
import { memo } from '../ui/memo.ts';
import { NoticeIcon } from '../ui/notice-icon.tsx';
import { Cut } from '../ui/text.tsx';
import { beginsStage, type ColumnLayout, leftOf, type Range } from './layout.ts';
import { NameHandle } from './name-handle.tsx';

interface GridHeadProps {
  readonly columns: readonly Column[];
  readonly layout: ColumnLayout;
  readonly height: number;
  /** The visible range of the columns that scroll. */
  readonly visible: Range;
  readonly failed: readonly SlotBox[];
  readonly notices: Notices;
  /** The summary above the names. */
  readonly summary: ComponentChildren;
  readonly onFold: (column: Column) => void;
}

/** The names of the environments, with the name of their stage above. */
export const GridHead = memo((props: GridHeadProps) => {
  const { columns, layout, height, visible, failed, notices, summary, onFold } = props;
  const { nameWidth, widths, scrolled, pinnedWidth } = layout;
  const failedIn = useMemo(() => grouped(failed, ({ environment }) => environment), [failed]);
  // Where a stage has several environments, the others have their names above, too.
  const hasSeveral = columns.some(
    ({ isFolded, stage }, at) => !['', otherStages].includes(stage) && (isFolded || columns[at - 1]?.stage === stage),
  );
  const hasName = ({ stage }: Column) => stage === otherStages || (hasSeveral && stage !== '');
  const head = (index: number) => {
    const column = columns[index];
    if (!column) return null;
    const { key, environments, isFolded } = column;
    const held = environments.map((name) => notices.ofColumn(name)).find(Boolean);
    return (
      <div
        key={key}
        role="columnheader"
        class={`head${hasName(column) ? '' : ' plain'}${beginsStage(columns, index, scrolled) ? ' begins' : ''}`}
        aria-colindex={index + 2}
        style={{ left: `${leftOf(index, layout)}px`, width: `${widths[index]}px` }}
      >
        {hasName(column) && <StageName {...{ columns, index, scrolled, failedIn, onFold }} />}
        <span class="head-name row soft">
          <Cut text={isFolded ? environments.join(', ') : columnTitle(column)} />
          {held && <NoticeIcon mark={held} />}
          {held && <span class="unseen">{held.text}</span>}
        </span>
      </div>
    );
  };
  return (
    <div role="row" class="heads fine" aria-rowindex={1} style={{ height: `${height}px` }}>
      <div role="columnheader" class="name" aria-colindex={1} style={{ width: `${nameWidth}px` }}>
        {summary}
        <NameHandle width={nameWidth} />
      </div>
      {columns.slice(visible.from, Math.min(scrolled, visible.until)).map((_, offset) => head(visible.from + offset))}
      {pinnedWidth > 0 && (
        <div class="pinned" role="presentation" style={{ width: `${pinnedWidth}px` }}>
          {columns.slice(scrolled).map((_, offset) => head(scrolled + offset))}
          <span class="pin-mark soft" title="Always visible">
            <Mark shape="pin" />
          </span>
        </div>
      )}
    </div>
  );
});

interface StageNameProps extends Pick<GridHeadProps, 'columns' | 'onFold'> {
  /** The failures by environment. */
  readonly failedIn: ReadonlyMap<string, readonly SlotBox[]>;
  readonly index: number;
  readonly scrolled: number;
}

/** The name of the stage above its first column; a button if the stage can be folded or unfolded. */
function StageName({ columns, index, scrolled, failedIn, onFold }: StageNameProps) {
  const column = columns[index];
  const isFirst = index === 0 || index === scrolled || beginsStage(columns, index, scrolled);
  if (!column || !isFirst) return null;
  const { stage, isFolded, environments } = column;
  const several = isFolded || columns.filter((other) => other.stage === stage).length > 1;
  const badge = isFolded ? environments.flatMap((name) => failedIn.get(name) ?? []).length : 0;
  const name = stageTitle(stage);
  if (!several) return <b class="stage-name cut">{name}</b>;
  return (
    <button
      type="button"
      class="stage-name row gap-4 bare strong"
      aria-expanded={!isFolded}
      title={isFolded ? `Show a column for each of ${environments.join(', ')}` : 'Fold to one column'}
      onClick={() => onFold(column)}
    >
      <Mark shape="chevron" />
      <span class="cut">{name}</span>
      {isFolded && (
        <span class="soft">
          {environments.length}
          <span class="unseen"> environments</span>
        </span>
      )}
      {badge > 0 && (
        <span class="stage-badge row bad">
          <Mark shape="bad" />
          {badge}
          <span class="unseen"> failed</span>
        </span>
      )}
    </button>
  );
}
