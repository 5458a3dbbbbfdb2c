import { type CallAnswer, CallRefused, type Client } from '@shiplog/client';

/** How far the service's clock is ahead of this machine's, by one answer. */
interface ClockReading {
  readonly offsetMs: number;
  /** The largest error of the offset. */
  readonly errorMs: number;
}

/** `Date` has whole seconds and was written between the two times of this machine. */
export function clockReading(date: string | null, sentMs: number, receivedMs: number): ClockReading | undefined {
  const servedMs = Date.parse(date ?? '');
  if (Number.isNaN(servedMs)) return undefined;
  return {
    offsetMs: servedMs + 500 - (sentMs + receivedMs) / 2,
    errorMs: 500 + (receivedMs - sentMs) / 2,
  };
}

/** Wraps the calls: `send` gets the offset of the service's clock from the first answer and from any that contradicts it. */
export function withServerClock(client: Client, send: (offsetMs: number) => void): Client {
  let known: number | undefined;
  const read = (headers: Headers, sentMs: number) => {
    const reading = clockReading(headers.get('date'), sentMs, Date.now());
    if (!reading || (known !== undefined && Math.abs(reading.offsetMs - known) <= reading.errorMs)) return;
    known = reading.offsetMs;
    send(known);
  };
  type AnyCall = (...input: unknown[]) => Promise<CallAnswer<unknown>>;
  const listening = (call: AnyCall): AnyCall => {
    return async (...input) => {
      const sentMs = Date.now();
      try {
        const answer = await call(...input);
        read(answer.headers, sentMs);
        return answer;
      } catch (error) {
        if (error instanceof CallRefused) read(error.headers, sentMs);
        throw error;
      }
    };
  };
  return Object.fromEntries(Object.entries(client).map(([name, call]) => [name, listening(call as AnyCall)])) as Client;
}
