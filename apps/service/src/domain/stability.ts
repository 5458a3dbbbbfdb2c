import { byCodePoint, type StabilityReport } from '@shiplog/contract';

export type SlotStability = StabilityReport['slots'][number];

const slotsMax = 10;

/** The report on all slots with successes. It lists the worst slots (questions.md 6 and 12.6). */
export function stabilityAnswer(slots: readonly SlotStability[]) {
  const worst = slots
    .filter(({ rework }) => rework > 0)
    .sort(
      (one, other) =>
        other.rework - one.rework ||
        other.rollbacks - one.rollbacks ||
        byCodePoint(one.service, other.service) ||
        byCodePoint(one.environment, other.environment),
    )
    .slice(0, slotsMax);
  return {
    rollbacks: perSuccess(slots, 'rollbacks'),
    rework: perSuccess(slots, 'rework'),
    slots: worst,
    approximated: true as const,
  };
}

function perSuccess(slots: readonly SlotStability[], name: 'rollbacks' | 'rework') {
  const count = slots.reduce((sum, slot) => sum + slot[name], 0);
  const successes = slots.reduce((sum, slot) => sum + slot.successes, 0);
  return { count, rate: successes === 0 ? null : count / successes };
}
