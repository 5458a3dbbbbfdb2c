import { EdgeLine } from './chain-graph.tsx';
import { type Outcome, outcomeLabels } from './outcome.ts';

const line = { path: 'M0 8h40', tip: { x: 40, y: 8, turn: 'right' }, middle: { x: 18, y: 8 } } as const;

export function Legend({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <ul class="wrap graph-legend small" aria-label="What the lines mean">
      {outcomes.map((outcome) => (
        <li key={outcome} class="row">
          <svg width="40" height="16" aria-hidden="true">
            <EdgeLine line={line} outcome={outcome} />
          </svg>
          {outcomeLabels[outcome]}
        </li>
      ))}
    </ul>
  );
}
