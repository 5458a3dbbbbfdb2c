/** The parts of d3-scale 4 and d3-shape 3 that the charts use; neither package has declarations. */
declare module 'd3-scale' {
  export interface BandScale {
    (key: string): number | undefined;
    domain(keys: readonly string[]): BandScale;
    range(pixels: readonly [number, number]): BandScale;
    paddingInner(share: number): BandScale;
    paddingOuter(share: number): BandScale;
    bandwidth(): number;
  }
  export interface LinearScale {
    (value: number): number;
    domain(values: readonly [number, number]): LinearScale;
    domain(): number[];
    range(pixels: readonly [number, number]): LinearScale;
    nice(count?: number): LinearScale;
    ticks(count?: number): number[];
  }
  export function scaleBand(): BandScale;
  export function scaleLinear(): LinearScale;
}

declare module 'd3-shape' {
  export interface Line<Datum> {
    (points: readonly Datum[]): string | null;
    x(position: (point: Datum, index: number) => number): Line<Datum>;
    y(position: (point: Datum, index: number) => number): Line<Datum>;
    defined(is: (point: Datum, index: number) => boolean): Line<Datum>;
  }
  export function line<Datum>(): Line<Datum>;
}
