import type { HeatmapReport } from '@shiplog/contract';

/** More sizes couldn't be distinguished. */
const stepsMax = 4;

/** The upper bound of each step, ascending. */
export function heatSteps(max: number): number[] {
  const steps = Math.min(stepsMax, max);
  return Array.from({ length: steps }, (_, index) => Math.ceil((max * (index + 1)) / steps));
}

export function stepOf(count: number, steps: readonly number[]): number {
  if (count === 0) return 0;
  const step = steps.findIndex((most) => count <= most);
  return step === -1 ? steps.length : step + 1;
}

export function stepLabels(steps: readonly number[]): string[] {
  return steps.map((most, index) => {
    const least = (steps[index - 1] ?? 0) + 1;
    return least === most ? `${most}` : `${least}–${most}`;
  });
}

/** Counts by weekday (0 is Sunday) and hour; the service omits zeros (aggregation rule 4). */
export function heatTable(cells: HeatmapReport['cells']): number[][] {
  const table = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
  for (const { day_of_week, hour, count } of cells) {
    const day = table[day_of_week];
    if (day && hour in day) day[hour] = count;
  }
  return table;
}

export function heatMax(table: readonly (readonly number[])[]): number {
  return Math.max(...table.flat());
}
