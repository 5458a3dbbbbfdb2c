/** Milliseconds on the clock that all processes of the machine share. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** What an event says of itself, so that whoever reads its frame knows which one it is and when its publishing began. */
export interface Stamp {
  readonly number: number;
  readonly publishedAt: number;
}

/** Always the same length, so that all frames of a run have one size. */
export function stampText({ number, publishedAt }: Stamp): string {
  return `bench-${String(number).padStart(6, '0')}-${publishedAt.toFixed(3).padStart(16, '0')}`;
}

/** The stamp in a frame. @throws where there is none. */
export function readStamp(frame: string): Stamp {
  const [, number, publishedAt] = /bench-(\d{6})-(\d{12}\.\d{3})/.exec(frame) ?? [];
  if (publishedAt === undefined) throw new Error(`a frame without a stamp: ${JSON.stringify(frame)}`);
  return { number: Number(number), publishedAt: Number(publishedAt) };
}
