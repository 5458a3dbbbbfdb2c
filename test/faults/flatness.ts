import type { plot } from '@shiplog/bench/plot';
import { table } from './report.ts';
import type { Vitals } from './vitals.ts';

/** The measures that must stay flat, with their labels and units. */
const measures = [
  { name: 'Memory', unit: 'MB', of: ({ residentBytes }: Vitals) => residentBytes / 1e6 },
  { name: 'Heap in use', unit: 'MB', of: ({ heapBytes }: Vitals) => heapBytes / 1e6 },
  { name: 'Handles besides connections', unit: '', of: ({ handles }: Vitals) => handles },
  { name: 'Listeners for one event', unit: '', of: ({ listeners }: Vitals) => listeners },
  { name: 'Database connections', unit: '', of: ({ connections }: Vitals) => connections },
  { name: 'Different prepared statements', unit: '', of: ({ statements }: Vitals) => statements },
] as const;

/**
 * The maximum growth: the median of the last third of a run divided by the greater median of the first two thirds. A
 * small count may also grow by one. A leak grows in every third, but machine load makes values go up and down.
 */
const growthMax = 1.1;
/** The required number of samples without a fault. */
const calmSamplesMin = 12;
/** Each point of the plot is the median over this duration. */
const pointMs = 60_000;

export interface Flatness {
  readonly name: string;
  readonly unit: string;
  /** The medians of the first, second and last third. */
  readonly thirds: readonly [number, number, number];
  readonly flat: boolean;
}

export function flatnessOf(samples: readonly Vitals[]): Flatness[] {
  const vitals = calmOf(samples);
  const length = Math.ceil(vitals.length / 3);
  return measures.map(({ name, unit, of }) => {
    const third = (n: number) => median(vitals.slice(n * length, (n + 1) * length).map(of));
    const thirds = [third(0), third(1), third(2)] as const;
    return { name, unit, thirds, flat: thirds[2] <= Math.max(growthMax * before(thirds), before(thirds) + 1) };
  });
}

function before([first, second]: Flatness['thirds']): number {
  return Math.max(first, second);
}

export function flatnessTable(flatness: readonly Flatness[]): string {
  const rows = flatness.map(({ name, unit, thirds, flat }) => [
    name,
    ...thirds.map((value) => `${Math.round(value)} ${unit}`.trim()),
    (thirds[2] / before(thirds)).toFixed(2),
    flat ? 'yes' : '**no**',
  ]);
  return table([
    [
      'Median of',
      'First third',
      'Second third',
      'Last third',
      'Last ÷ greater of the others',
      `Flat (≤ ${growthMax.toFixed(2)})`,
    ],
    ...rows,
  ]);
}

/** Every measure over time, as a percentage of its median in the second third, so that all measures fit one plot. */
export function flatnessCurve(samples: readonly Vitals[]): Parameters<typeof plot>[0] {
  const flatness = flatnessOf(samples);
  const vitals = calmOf(samples);
  const minutes = Math.ceil((vitals.at(-1)?.at ?? 0) / pointMs);
  return {
    name: 'soak',
    title: 'Resources of the instance that is never stopped',
    x: { label: 'minutes' },
    y: { label: '% of the second third' },
    series: measures.map(({ name, of }, index) => ({
      name,
      points: Array.from({ length: minutes }, (_, minute) => {
        const inMinute = vitals.filter(({ at }) => Math.floor(at / pointMs) === minute).map(of);
        return [minute + 0.5, (100 * median(inMinute)) / (flatness[index]?.thirds[1] ?? 1)] as const;
      }).filter(([, value]) => Number.isFinite(value)),
    })),
  };
}

/** The samples without a fault and with the same clients. All samples if there are too few of them. */
function calmOf(samples: readonly Vitals[]): readonly Vitals[] {
  const calm = samples.filter((sample) => sample.calm);
  return calm.length >= calmSamplesMin ? calm : samples;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
