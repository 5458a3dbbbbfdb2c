import { createParser } from 'eventsource-parser';
import { backoffMs } from './backoff.ts';

/** Far larger than our largest frame, which contains a body of at most 256 KiB. */
const frameCharactersMax = 1024 * 1024;

export interface Frame {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export interface FollowOptions {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where to resume; by default the stream starts live. */
  readonly lastEventId?: string;
  /** Stops following. */
  readonly signal: AbortSignal;
  /** The heartbeat of the server. */
  readonly heartbeatMs?: number;
  /** A connection counts as dead after this much silence; three heartbeats by default. */
  readonly silentMs?: number;
  readonly backoffMinMs?: number;
  readonly backoffMaxMs?: number;
  /** Returns a number from 0 to 1, for the jitter of the backoff. */
  readonly random?: () => number;
  /** Called when a connection is open, with the response headers. */
  readonly onOpen?: (headers: Headers) => void;
  /** Called when a connection ended or failed, with the time until the next attempt. */
  readonly onDown?: (reason: string, retryMs: number) => void;
}

/**
 * Yields the frames of an event stream until the signal aborts. Reconnects with the last id received, with a backoff of
 * `backoffMinMs` (1 s) to `backoffMaxMs` (60 s), and detects silent connections, unlike `EventSource`. Retries any
 * status other than 200 like a lost connection, because a key may be rotated or a service may come back.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<Frame, void, undefined> {
  const { signal, backoffMinMs = 1000, backoffMaxMs = 60_000, random = Math.random } = options;
  let lastEventId = options.lastEventId;
  let failures = 0;
  while (!signal.aborted) {
    let reason = 'the stream ended';
    try {
      for await (const frame of connection(options, lastEventId)) {
        failures = 0;
        if (frame === 'open') continue;
        lastEventId = frame.id ?? lastEventId;
        yield frame;
      }
    } catch (error) {
      reason = connectionFailure(error);
    }
    if (signal.aborted) return;
    const retryMs = backoffMs(failures, { minMs: backoffMinMs, maxMs: backoffMaxMs, random });
    failures += 1;
    options.onDown?.(reason, retryMs);
    await pause(retryMs, signal);
  }
}

/** One connection: yields `open` once, then its frames. */
async function* connection(
  options: FollowOptions,
  lastEventId: string | undefined,
): AsyncGenerator<Frame | 'open', void, undefined> {
  const attempt = new AbortController();
  const abort = () => attempt.abort(new Error('stopped'));
  options.signal.addEventListener('abort', abort, { once: true });
  const { heartbeatMs = 15_000, silentMs = 3 * heartbeatMs } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const awaitBytes = () => {
    clearTimeout(timer);
    timer = setTimeout(() => attempt.abort(new Error('the connection has gone silent')), silentMs);
  };
  awaitBytes();
  try {
    const response = await fetch(options.url, {
      headers: {
        accept: 'text/event-stream',
        ...options.headers,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      redirect: 'manual',
      signal: attempt.signal,
    });
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      throw new Error(`answered ${response.status}`);
    }
    options.onOpen?.(response.headers);
    yield 'open';
    const frames: Frame[] = [];
    const parser = createParser({
      onEvent: (event) => frames.push({ id: event.id, event: event.event ?? 'message', data: event.data }),
      // Without a limit, an endless line would fill up the memory.
      maxBufferSize: frameCharactersMax,
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded')
          throw new Error(`a frame is longer than ${frameCharactersMax} characters`);
      },
    });
    const decoder = new TextDecoder();
    // Some browsers can't iterate over a body.
    const body = response.body.getReader();
    for (let part = await body.read(); !part.done; part = await body.read()) {
      awaitBytes();
      parser.feed(decoder.decode(part.value, { stream: true }));
      yield* frames.splice(0);
    }
  } catch (error) {
    throw attempt.signal.aborted ? attempt.signal.reason : error;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', abort);
    attempt.abort();
  }
}

/** `fetch` reports the reason as the cause of its error; for a host with several addresses, only as a code. */
function connectionFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message: why, code } = (error.cause ?? {}) as { readonly message?: string; readonly code?: string };
  return [error.message, why || code].filter(Boolean).join(': ');
}

/** Resolves after a delay, or immediately when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, ms);
    signal.addEventListener('abort', settle, { once: true });
    if (signal.aborted) settle();
  });
}
