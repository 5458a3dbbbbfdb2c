import type { DurationHistogramReport, FrequencyReport } from '@shiplog/contract';
import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

/** The height in pixels of every plot, so that the cards align. */
export const plotHeight = 200;
/** The minimum height of a bar in pixels: a smaller bar is invisible. */
const markMin = 2;
const dayLabelWidth = 42;

/** The area between the axes, in pixels. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function frameOf(width: number): Frame {
  return { left: 36, right: Math.max(width - 4, 40), top: 16, bottom: plotHeight - 24 };
}

/** The position of one mark in a row of marks. */
export interface Band {
  readonly key: string;
  readonly x: number;
  readonly width: number;
  readonly middle: number;
}

export function bandsOf(keys: readonly string[], { left, right }: Frame, gap = 0.25): Band[] {
  const scale = scaleBand()
    .domain(keys)
    .range([left, right])
    .paddingInner(gap)
    .paddingOuter(gap / 2);
  const width = scale.bandwidth();
  return keys.map((key) => ({ key, x: scale(key) ?? left, width, middle: (scale(key) ?? left) + width / 2 }));
}

/** The vertical axis from 0 to at least `max`, with its labelled values. */
export interface Rise {
  readonly yOf: (value: number) => number;
  readonly ticks: readonly number[];
}

export function riseOf(max: number, { top, bottom }: Frame): Rise {
  const scale = scaleLinear()
    .domain([0, max || 1])
    .range([bottom, top])
    .nice(4);
  return { yOf: (value) => scale(value), ticks: scale.ticks(4) };
}

export function wholeTicks({ ticks }: Rise): number[] {
  return ticks.filter(Number.isInteger);
}

/** The interval in days between labels that don't touch. The last day always has a label. */
export function labelEvery(count: number, { left, right }: Frame): number {
  const room = Math.max(1, Math.floor((right - left) / dayLabelWidth));
  return Math.max(1, Math.ceil(count / room));
}

export interface Segment {
  readonly y: number;
  readonly height: number;
}

export interface DayBar extends Band {
  readonly success: Segment;
  /** The failure bar starts at the axis, so that the failures of several days are comparable. */
  readonly failure: Segment;
}

export function frequencyBars(buckets: FrequencyReport['buckets'], frame: Frame, { yOf }: Rise): DayBar[] {
  const bands = bandsOf(
    buckets.map(({ date }) => date),
    frame,
  );
  const high = (count: number) => (count === 0 ? 0 : Math.max(frame.bottom - yOf(count), markMin));
  return bands.map((band, index) => {
    const { success = 0, failure = 0 } = buckets[index] ?? {};
    const failed = { y: frame.bottom - high(failure), height: high(failure) };
    return { ...band, failure: failed, success: { y: failed.y - high(success), height: high(success) } };
  });
}

/** The position of a duration among unequal bins: proportional within its bin, or the middle of the open bin. */
export function durationX(minutes: number, bins: DurationHistogramReport['bins'], bands: readonly Band[]): number {
  const index = bins.findIndex(({ upper_minutes }) => upper_minutes === null || minutes < upper_minutes);
  const [bin, band] = [bins[index], bands[index]];
  if (!bin || !band) return 0;
  const share =
    bin.upper_minutes === null ? 0.5 : (minutes - bin.lower_minutes) / (bin.upper_minutes - bin.lower_minutes);
  return band.x + band.width * share;
}

/** A step line with one level per band; it ends after the last value. */
export function stepPath(
  values: readonly number[],
  bands: readonly Band[],
  { left, right }: Frame,
  { yOf }: Rise,
): string {
  const width = (right - left) / Math.max(bands.length, 1);
  const steps = values.slice(0, bands.length).map((value, index) => {
    const level = Math.round(yOf(value)) + 0.5;
    return `${index === 0 ? `M${left} ${level}` : `V${level}`}H${left + (index + 1) * width}`;
  });
  return steps.join('');
}

export function linePath(values: readonly number[], bands: readonly Band[], { yOf }: Rise): string {
  const draw = line<number>()
    .x((_, index) => bands[index]?.middle ?? 0)
    .y(yOf);
  return draw(values) ?? '';
}
