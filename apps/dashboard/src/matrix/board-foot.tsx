import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { CellPosition } from './keyboard.ts';
import { type Edge, edges, type OffScreen } from './off-screen.ts';

const legend = [
  ['ok', 'succeeded'],
  ['run', 'running'],
  ['bad', 'failed'],
  ['pause', 'waiting'],
  ['ring', 'pending'],
  ['outage', 'outage'],
  ['doubt', 'data quality'],
] as const satisfies readonly (readonly [Shape, string])[];

const arrows = { above: '↑', below: '↓', left: '←', right: '→' } as const satisfies Record<Edge, string>;
const where = { above: 'above', below: 'below', left: 'to the left', right: 'to the right' } as const;

interface BoardFootProps {
  readonly offScreen: OffScreen;
  readonly onGo: (nearest: CellPosition) => void;
}

/** Buttons that scroll to failures off screen, and what the marks mean. */
export function BoardFoot({ offScreen, onGo }: BoardFootProps) {
  return (
    <div class="board-foot row soft fine">
      {edges.map((edge) => {
        const known = offScreen[edge];
        return (
          known && (
            <button
              key={edge}
              type="button"
              class="beyond nowrap strong"
              aria-label={`${known.count} failed ${where[edge]}`}
              onClick={() => onGo(known.nearest)}
            >
              {arrows[edge]} {known.count} failed
            </button>
          )
        );
      })}
      <span class="space" />
      <ul class="row gap-16" aria-label="Legend">
        {legend.map(([shape, label]) => (
          <li key={shape} class={`row gap-4 ${shape}`}>
            <Mark shape={shape} />
            {label}
          </li>
        ))}
        <li>— never deployed</li>
      </ul>
    </div>
  );
}
