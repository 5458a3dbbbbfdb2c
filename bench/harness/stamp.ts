/** Milliseconds on a clock that all processes of the machine share. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** Identifies an event in its frame, with the start time of its post. */
export interface Stamp {
  readonly number: number;
  readonly publishedAt: number;
}

/** The text has a constant length, so that all frames of a run have the same size. */
export function stampText({ number, publishedAt }: Stamp): string {
  return `bench-${String(number).padStart(6, '0')}-${publishedAt.toFixed(3).padStart(16, '0')}`;
}

/** The stamp in a frame. @throws if there is no stamp. */
export function readStamp(frame: string): Stamp {
  const [, number, publishedAt] = /bench-(\d{6})-(\d{12}\.\d{3})/.exec(frame) ?? [];
  if (publishedAt === undefined) throw new Error(`a frame without a stamp: ${JSON.stringify(frame)}`);
  return { number: Number(number), publishedAt: Number(publishedAt) };
}
