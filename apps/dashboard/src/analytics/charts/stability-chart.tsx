import type { EvidenceFigure, StabilityReport } from '@shiplog/contract';
import { FigureButton } from '../figure-button.tsx';
import { numberText, percentText } from '../figures.ts';
import { type Chart, SlotTable } from './chart.tsx';

export const stabilityChart: Chart<StabilityReport> = {
  title: 'Stability',
  says: 'Successes that brought back an earlier release, or followed a failure within 24 h. Approximated from versions: the log has no reasons for deployments.',
  csv: ({ rollbacks, rework, slots }) => ({
    head: ['Service', 'Environment', 'Rolled back', 'Rework', 'Of'],
    rows: [
      ['all', 'all', rollbacks.count, rework.count, null],
      ...slots.map((slot) => [slot.service, slot.environment, slot.rollbacks, slot.rework, slot.successes]),
    ],
  }),
  draw: ({ rollbacks, rework, slots }) => (
    <>
      <div class="stability">
        <Share figure="rollbacks" {...rollbacks} noun={rollbacks.count === 1 ? 'rollback' : 'rollbacks'} />
        <Share figure="rework" {...rework} noun="reworked" />
      </div>
      <SlotTable
        title="Least stable"
        head={['rolled back', 'rework', 'of']}
        rows={slots}
        cells={(slot) => [slot.rollbacks, slot.rework, slot.successes].map(numberText)}
      />
    </>
  ),
};

interface ShareProps {
  readonly figure: EvidenceFigure;
  readonly count: number;
  readonly rate: number | null;
  readonly noun: string;
}

function Share({ figure, count, rate, noun }: ShareProps) {
  return (
    <div>
      <FigureButton figure={figure} class="figure value">
        <b>{numberText(count)}</b> {noun}
      </FigureButton>
      <p class="small">{rate === null ? 'no successes' : `${percentText(rate)} of the successes`}</p>
    </div>
  );
}
