import type { EvidenceFigure, StabilityReport } from '@shiplog/contract';
import type { ComponentChildren } from 'preact';
import type { Chart } from './chart-card.tsx';
import { FigureButton } from './figure-button.tsx';
import { numberText, percentText } from './figures.ts';
import { firstOf, ListTable } from './list-table.tsx';
import { SlotLink, slotCells } from './rows-link.tsx';
import type { Cell } from './table.tsx';

/** The table shows every slot in the response. */
const slotsMax = 6;

export const stabilityChart: Chart<StabilityReport> = {
  title: 'Stability',
  says: 'Successes that brought back an earlier release, or followed a failure within 24 h. Approximated from versions: the log has no reasons for deployments.',
  table: ({ rollbacks, rework, slots }) => ({
    head: ['Service', 'Environment', 'Rolled back', 'Rework', 'Of'],
    rows: [
      ['all', 'all', rollbacks.count, rework.count, successesOf({ rollbacks, rework })],
      ...slots.map((slot): Cell[] => [...slotCells(slot), slot.rollbacks, slot.rework, slot.successes]),
    ],
  }),
  room: 'half',
  draw: ({ rollbacks, rework, slots }) => (
    <>
      <div class="stability">
        <Share figure="rollbacks" count={rollbacks.count} noun={rollbacks.count === 1 ? 'rollback' : 'rollbacks'}>
          {shareText(rollbacks.rate)}an earlier release again
        </Share>
        <Share figure="rework" count={rework.count} noun="reworked">
          {shareText(rework.rate)}restored within 24 h
        </Share>
      </div>
      {slots.length > 0 && (
        <ListTable
          head={[firstOf('Least stable', slotsMax, slots.length), 'rolled back', 'rework', 'of']}
          rows={slots
            .slice(0, slotsMax)
            .map((slot) => [
              <SlotLink slot={slot} />,
              numberText(slot.rollbacks),
              numberText(slot.rework),
              numberText(slot.successes),
            ])}
        />
      )}
    </>
  ),
};

interface ShareProps {
  readonly figure: EvidenceFigure;
  readonly count: number;
  readonly noun: string;
  readonly children: ComponentChildren;
}

function Share({ figure, count, noun, children }: ShareProps) {
  return (
    <div>
      <FigureButton figure={figure} class="figure value">
        <b>{numberText(count)}</b> {noun}
      </FigureButton>
      <p class="small">{children}</p>
    </div>
  );
}

function shareText(rate: number | null): string {
  return rate === null ? '' : `${percentText(rate)}, `;
}

/** The number of successes, derived from the rates; `null` unless a rate is known and above 0. */
function successesOf({ rollbacks, rework }: Pick<StabilityReport, 'rollbacks' | 'rework'>): number | null {
  const told = [rework, rollbacks].find(({ rate }) => rate);
  return told?.rate ? Math.round(told.count / told.rate) : null;
}
