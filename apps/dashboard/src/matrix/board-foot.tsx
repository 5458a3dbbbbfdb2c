import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { CellPosition } from './keyboard.ts';
import { type OffScreen, OffScreenButtons } from './off-screen.tsx';

const legend = [
  ['ok', 'succeeded'],
  ['run', 'running'],
  ['bad', 'failed'],
  ['pause', 'waiting'],
  ['ring', 'pending'],
  ['outage', 'outage'],
  ['doubt', 'data quality'],
] as const satisfies readonly (readonly [Shape, string])[];

interface BoardFootProps {
  readonly offScreen: OffScreen;
  readonly onGo: (nearest: CellPosition) => void;
}

/** Failures that are off screen, and what the marks mean. */
export function BoardFoot(props: BoardFootProps) {
  return (
    <div class="board-foot row soft fine">
      <OffScreenButtons {...props} />
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
