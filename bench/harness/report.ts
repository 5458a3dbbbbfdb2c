import { type Figure, isMet, judged, number, quantity, type Summary, summary } from './figure.ts';
import type { Facts } from './machine.ts';
import type { Curve, Result } from './outcome.ts';

/** A recorded run. */
export interface Report {
  readonly startedAt: Date;
  readonly seconds: number;
  readonly machine: Facts;
  readonly results: readonly Result[];
}

/** A Markdown table: figure, yardstick, ratio with range, goal, met or not. */
export function table(figures: readonly Figure[]): string {
  return markdownTable(['Goal', 'Figure', 'Measured', 'Yardstick', 'Ratio (range)', 'Reach', 'Met'], figures.map(row));
}

/**
 * A short table of the figures that miss their goals, each with its ratio or value. Empty if no figure misses its goal.
 */
function missedTable(figures: readonly Figure[]): string {
  const rows = figures.filter((figure) => !isMet(figure)).map(row);
  if (rows.length === 0) return '';
  return markdownTable(
    ['Missed', 'Figure', 'Result', 'Reach'],
    rows.map(([goal = '', title = '', measured = '', , ratio = '', reach = '']) => [
      goal,
      title,
      ratio || measured,
      reach,
    ]),
  );
}

function row(figure: Figure): string[] {
  const { goal, title, measured, unit, yardstick } = figure;
  const bound = 'atLeast' in figure.reach ? figure.reach.atLeast : figure.reach.atMost;
  const sign = 'atLeast' in figure.reach ? '≥' : '≤';
  const inverse = yardstick !== undefined && isUnitFraction(bound);
  const ratio = judged(figure);
  return [
    goal,
    title,
    ranged(summary(measured), number, unit),
    yardstick ? `${yardstick.title}: ${quantity(number(summary(yardstick.measured).median), unit)}` : '',
    yardstick ? ranged(ratio, inverse && ratio.median < 0.1 ? oneOver : number) : '',
    `${sign} ${quantity(inverse ? oneOver(bound) : bound.toLocaleString('en'), yardstick ? '' : unit)}`,
    isMet(figure) ? 'yes' : '**no**',
  ];
}

function ranged({ min, median, max }: Summary, text: (value: number) => string, unit = ''): string {
  const range = min === max ? '' : ` (${text(min)}–${text(max)})`;
  return `${quantity(text(median), unit)}${range}`;
}

/** Whether a goal is written as a fraction, such as 1/4 or 1/500. */
function isUnitFraction(bound: number): boolean {
  return bound < 1 && Math.abs(1 / bound - Math.round(1 / bound)) < 1e-9;
}

function oneOver(ratio: number): string {
  return `1/${Math.round(1 / ratio).toLocaleString('en')}`;
}

/** The title of a curve and its points, with one row per value on the horizontal axis. */
export function pointsOf({ title, x, y, series }: Curve): string {
  const maps = series.map(({ points }) => new Map(points));
  const places = [...new Set(maps.flatMap((points) => [...points.keys()]))].sort((a, b) => a - b);
  const points = markdownTable(
    [x.label, ...series.map(({ name }) => `${name}, ${y.label}`)],
    places.map((place) => [
      place.toLocaleString('en'),
      ...maps.map((line) => (line.has(place) ? number(line.get(place) ?? Number.NaN) : '')),
    ]),
  );
  return `### ${title}\n\n${points}`;
}

function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** One sentence for each figure that is missing. */
export function gaps(results: readonly Result[]): string[] {
  return results.flatMap(({ name, leftOut, error, notMeasured }) => [
    ...(leftOut === undefined ? [] : [`${name} was left out: ${leftOut}.`]),
    ...(error === undefined ? [] : [`${name} failed: ${error}`]),
    ...(notMeasured.length === 0 ? [] : [`Not measured by ${name}: ${notMeasured.join(', ')}.`]),
  ]);
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** A duration such as 14.2 s or 3 min 20 s. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A sentence such as "29 of 30 figures reach their goal". */
export function tally(figures: readonly Figure[]): string {
  return `${figures.filter(isMet).length} of ${figures.length} figures reach their goal`;
}

/** The date of the run, which is the name of its report. */
export function dayOf({ startedAt }: Report): string {
  return startedAt.toISOString().slice(0, 10);
}

/** The run as one Markdown page. */
export function page(report: Report): string {
  const { startedAt, seconds, machine, results } = report;
  const facts = [
    ['Started', startedAt.toISOString()],
    ['Took', duration(seconds)],
    ...machine,
    ['Benches', results.map((result) => `${result.name} ${duration(result.seconds)}`).join(', ')],
  ];
  return [
    `# Performance on ${dayOf(report)}`,
    'Written by `npm run bench`. [docs/performance.md](../../docs/performance.md) explains the figures.',
    markdownTable(['', ''], facts),
    `## Figures\n\n${tally(figuresOf(report))}.`,
    table(figuresOf(report)),
    '## Points of the plots',
    ...curvesOf(report).map(pointsOf),
    '## What is missing',
    listOf(gaps(results)) || 'Nothing.',
  ]
    .join('\n\n')
    .concat('\n');
}

/**
 * The section of docs/performance.md that each run replaces: a link to the run's page, the missed goals and the plots.
 */
export function summaryPart(report: Report): string {
  const day = dayOf(report);
  return [
    `The last complete run is [that of ${day}](../bench/results/${day}.md): ${tally(figuresOf(report))}.`,
    missedTable(figuresOf(report)),
    listOf(gaps(report.results)),
    ...curvesOf(report).map(({ name, title }) => `![${title}](images/performance/${name}.svg)`),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const marks = ['<!-- npm run bench writes from here -->', '<!-- to here -->'] as const;

/** Replaces the part of the text between the marks. @throws if a mark is missing. */
export function replacePart(text: string, part: string): string {
  const [begin, end] = marks.map((mark) => text.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) {
    throw new Error(`the marks "${marks[0]}" and "${marks[1]}" are missing`);
  }
  return `${text.slice(0, begin)}${marks[0]}\n\n${part}\n\n${text.slice(end)}`;
}

export function figuresOf({ results }: Pick<Report, 'results'>): Figure[] {
  return results.flatMap(({ outcome }) => outcome.figures);
}

/** Merges the lines of plots that have the same name in several benchmarks. */
export function curvesOf({ results }: Pick<Report, 'results'>): Curve[] {
  const curves = new Map<string, Curve>();
  for (const curve of results.flatMap(({ outcome }) => outcome.curves ?? [])) {
    const series = [...(curves.get(curve.name)?.series ?? []), ...curve.series];
    curves.set(curve.name, { ...curve, ...curves.get(curve.name), series });
  }
  return [...curves.values()];
}
