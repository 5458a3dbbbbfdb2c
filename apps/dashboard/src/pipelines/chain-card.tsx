import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { Version } from '../ui/version.tsx';
import type { Chain } from './chain.ts';
import { ChainGraph } from './chain-graph.tsx';
import type { ColumnPosition } from './column-position.ts';
import { chainLabel, sizeLabel } from './labels.ts';
import { outcomeOf } from './outcome.ts';

interface ChainCardProps {
  readonly chain: Chain;
  readonly service: string;
  readonly columns: readonly string[];
  readonly place: ColumnPosition | undefined;
  readonly isNewest: boolean;
}

/**
 * One chain with its state and, while open, its graph. The newest chain is initially open and stays open when a newer
 * one arrives, so that nothing closes while it is read.
 */
export function ChainCard({ chain, service, columns, place, isNewest }: ChainCardProps) {
  const [isOpen, setOpen] = useState(isNewest);
  const { absoluteTimes } = useStore(useApp().preferences);
  const { latest } = chain.newest;
  const [shape] = statusLook(latest.status);
  return (
    <li class="chain-card">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary class={`row ${outcomeOf(latest.status)}`}>
          <Mark shape={shape} />
          <Version text={versionOf(latest)} className="chain-version" />{' '}
          <span class="chain-progress cut fine">{chainLabel(chain, columns)}</span>{' '}
          <span class="chain-size cut small">{sizeLabel(chain)}</span>{' '}
          <Time at={latest.happened_at} absolute={absoluteTimes} />
        </summary>
        {isOpen && <ChainGraph graph={chain} service={service} columns={columns} place={place} />}
      </details>
    </li>
  );
}
