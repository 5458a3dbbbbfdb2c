/** The ticks of an axis from 0 to at least `max`: at most five steps of 1, 2 or 5 times a power of ten. */
export function ticksTo(max: number, stepMin = 1): number[] {
  const rough = Math.max(max / 4, stepMin);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  return Array.from({ length: Math.max(Math.ceil(max / step), 1) + 1 }, (_, index) => index * step);
}
