import { type CallAnswer, CallRefused, type Client } from '@shiplog/client';

/** How far the service's clock is ahead of this machine's clock, according to one response. */
interface ClockReading {
  readonly offsetMs: number;
  /** The maximum error of the offset. */
  readonly errorMs: number;
}

/** The `Date` header is in whole seconds, and the service wrote it between `sentMs` and `receivedMs`. */
export function clockReading(date: string | null, sentMs: number, receivedMs: number): ClockReading | undefined {
  const servedMs = Date.parse(date ?? '');
  if (Number.isNaN(servedMs)) return undefined;
  return {
    offsetMs: servedMs + 500 - (sentMs + receivedMs) / 2,
    errorMs: 500 + (receivedMs - sentMs) / 2,
  };
}

/**
 * Wraps the calls: sends the clock offset from the first response, and from each later response that contradicts it.
 */
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
