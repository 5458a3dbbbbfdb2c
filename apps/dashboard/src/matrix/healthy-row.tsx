import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { memo } from '../ui/memo.ts';

export interface HealthyRowProps {
  readonly lineKey: string;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  /** Its visible width, in pixels. */
  readonly width: number;
  /** How many columns it spans. */
  readonly columns: number;
  readonly rows: readonly MatrixRow[];
  readonly isOpen: boolean;
  /** How many of them are no longer healthy. */
  readonly unhealthy: number;
  readonly isActive: boolean;
}

/** The services that were healthy when the board was sorted, by name so that they can be found, in one line. */
export const HealthyRow = memo(({ rows, isOpen, unhealthy, ...props }: HealthyRowProps) => (
  <div
    role="row"
    class="board-row well"
    data-line={props.lineKey}
    aria-rowindex={props.index + 2}
    aria-level={2}
    aria-expanded={isOpen}
    style={{ top: `${props.top}px`, height: `${props.height}px` }}
  >
    <div
      role="gridcell"
      class="well-names soft cut"
      aria-colindex={1}
      aria-colspan={props.columns + 1}
      tabIndex={props.isActive ? 0 : -1}
      style={{ width: `${props.width}px` }}
    >
      <Mark shape="chevron" />
      <b>
        {rows.length} more, {unhealthy === 0 ? 'all healthy' : `${unhealthy} not healthy`}:
      </b>{' '}
      {rows.map(({ service }, index) => (
        <>
          {index > 0 && ', '}
          <bdi key={service}>{plain(service)}</bdi>
        </>
      ))}
    </div>
  </div>
));
