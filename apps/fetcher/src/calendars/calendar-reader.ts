import { open } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { systemResolve } from '@shiplog/component';
import type { CalendarPlace } from '../config/calendars.ts';
import { calendarLimits } from '../domain/calendar/freezes.ts';
import { redirectLookup, redirectTarget } from '../tool/addresses.ts';
import { ToolAway } from '../tool/refusals.ts';
import { exchange, Unanswered, type WireAnswer } from '../tool/wire.ts';

const answerMsMax = 20_000;
const redirectsMax = 5;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

export interface CalendarReaderOptions {
  /** The longest wait for a response, in real time; 20 s by default. */
  readonly timeoutMs?: number;
}

/**
 * Reads one calendar from a file or an address. The path and the query of an address may be secret, so errors name only
 * its origin.
 */
export class CalendarReader {
  readonly #place: CalendarPlace;
  readonly #options: CalendarReaderOptions;
  /** The last response, if it had an ETag, and the address that returned it. */
  #cached: { readonly from: string; readonly etag: string; readonly body: Uint8Array } | undefined;

  constructor(place: CalendarPlace, options: CalendarReaderOptions = {}) {
    this.#place = place;
    this.#options = options;
  }

  /** At most 1 MiB. @throws ToolAway if it can't be read, or the signal's reason */
  read(signal: AbortSignal): Promise<Uint8Array> {
    return 'file' in this.#place ? readFile(this.#place.file) : this.#follow(this.#place.url, signal);
  }

  async #follow(start: URL, signal: AbortSignal): Promise<Uint8Array> {
    let url = start;
    let lookup: LookupFunction | undefined;
    for (let hops = 0; hops <= redirectsMax; hops += 1) {
      const answer = await this.#request(url, lookup, signal);
      if (!redirects.includes(answer.status)) return this.#bodyOf(answer, url);
      const to = named(url, () => redirectTarget(answer.headers.get('location'), url));
      // Once needed, the guard applies to all later hops.
      if (to.origin !== url.origin) lookup ??= await redirectLookup(url, systemResolve);
      url = to;
    }
    throw new ToolAway(`${start.origin}: redirected more than ${redirectsMax} times`);
  }

  async #request(url: URL, lookup: LookupFunction | undefined, signal: AbortSignal): Promise<WireAnswer> {
    const etag = this.#cached?.from === url.href ? this.#cached.etag : undefined;
    const headers = {
      ...{ accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1', 'user-agent': 'shiplog-fetcher' },
      ...(etag !== undefined && { 'if-none-match': etag }),
    };
    const { timeoutMs = answerMsMax } = this.#options;
    const request = { method: 'GET', url, headers, bytesMax: calendarLimits.bytes, lookup } as const;
    try {
      return await exchange(request, { signal, timeoutMs, onHead: () => undefined });
    } catch (error) {
      throw error instanceof Unanswered ? new ToolAway(`${url.origin}: ${error.message}`) : error;
    }
  }

  #bodyOf({ status, headers, body }: WireAnswer, url: URL): Uint8Array {
    if (status === 304 && this.#cached?.from === url.href) return this.#cached.body;
    if (status !== 200) throw new ToolAway(`${url.origin}: ${status}`);
    const etag = headers.get('etag');
    this.#cached = etag === null ? undefined : { from: url.href, etag, body };
    return body;
  }
}

function named<Result>({ origin }: URL, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw error instanceof ToolAway ? new ToolAway(`${origin}: ${error.message}`) : error;
  }
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r');
    try {
      if (!(await file.stat()).isFile()) throw new ToolAway(`${path} is not a file`);
      const bytes = Buffer.alloc(calendarLimits.bytes + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read) {
        read = (await file.read(bytes, length, bytes.length - length)).bytesRead;
      }
      if (length > calendarLimits.bytes) throw new ToolAway(`${path} has more than ${calendarLimits.bytes} bytes`);
      return bytes.subarray(0, length);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ToolAway) throw error;
    throw new ToolAway(`${path} (${(error as NodeJS.ErrnoException).code})`);
  }
}
