import { addressOf, nextIn, pathOf } from './addresses.ts';
import type { CachedAnswer, Etags } from './etags.ts';
import { ListCut, ToolAway } from './refusals.ts';
import type { Answer, Page, Tool, ToolHttp } from './tool-http.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

export interface ToolRequest extends Pick<WireRequest, 'method' | 'url' | 'content' | 'bytesMax'> {
  /** The validator of the cached response, and the URL that it is valid for. */
  readonly cached?: { readonly etag: string | undefined; readonly from: string } | undefined;
  /** File URLs contain their own credentials. */
  readonly isFile?: boolean;
}

/** A good response, or a 304 for a cached one. */
export interface ToolReply extends WireAnswer {
  readonly from: string;
}

/** The parts of a connection that a caller needs. */
interface Requests extends Pick<ToolHttp, 'rediscover' | 'hasTurn' | 'hasSpare' | 'now' | 'settledNow'> {
  readonly baseUrl: string;
  readonly etags: Etags;
  /** By the fetcher's clock, in milliseconds. */
  readonly ownNow: number;
  send(tool: Tool, request: ToolRequest, signal: AbortSignal): Promise<ToolReply>;
}

const bodyBytesMax = 10 * 1024 * 1024;
const pagesMax = 1000;
/** The longest poll interval that a tool may ask for. */
const pollIntervalMsMax = 3_600_000;

/** The common part of a response and a page. */
interface Read<Picked> extends Answer<Picked> {
  readonly next: string | undefined;
}

/** The requests of one caller, with its cached responses. */
export class ToolCaller implements ToolHttp {
  readonly #connection: Requests;
  readonly #tool: Tool;
  readonly #id: string;

  constructor(connection: Requests, tool: Tool, id: string) {
    this.#connection = connection;
    this.#tool = tool;
    this.#id = id;
  }

  async get<Picked>(path: string, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Answer<Picked>> {
    const { next: _, ...answer } = await this.#read(this.#address(path), signal, pick);
    return answer;
  }

  async *pages<Picked>(
    path: string,
    signal: AbortSignal,
    pick: (body: unknown) => Picked,
  ): AsyncGenerator<Page<Picked>, void, undefined> {
    let url: URL | undefined = this.#address(path);
    for (let page = 1; url; page += 1) {
      if (page > pagesMax) throw new ToolAway(`${this.#named('GET', url)}: more than ${pagesMax} pages`);
      const read: Read<Picked> = await this.#read(url, signal, pick);
      const { next, ...answer } = read;
      yield { ...answer, more: next !== undefined };
      url = next === undefined ? undefined : this.#nextAddress(url, next);
    }
  }

  async post<Picked>(
    path: string,
    body: unknown,
    signal: AbortSignal,
    pick: (body: unknown) => Picked,
  ): Promise<Picked> {
    const url = this.#address(path);
    const request = { method: 'POST', url, content: JSON.stringify(body), bytesMax: bodyBytesMax } as const;
    const reply = await this.#connection.send(this.#tool, request, signal);
    return pickedOf(reply, pick, this.#named('POST', url));
  }

  async bytes(path: string, signal: AbortSignal, bytesMax: number): Promise<Uint8Array> {
    const request = { method: 'GET', url: this.#address(path), bytesMax, isFile: true } as const;
    return (await this.#connection.send(this.#tool, request, signal)).body;
  }

  rediscover(): void {
    this.#connection.rediscover();
  }

  get hasTurn(): boolean {
    return this.#connection.hasTurn;
  }

  get hasSpare(): boolean {
    return this.#connection.hasSpare;
  }

  now(): number {
    return this.#connection.now();
  }

  settledNow(): number {
    return this.#connection.settledNow();
  }

  /** Sends a conditional request for a cached response, but none before the tool's poll interval is over. */
  async #read<Picked>(url: URL, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Read<Picked>> {
    signal.throwIfAborted();
    const { etags } = this.#connection;
    const key = `${this.#id} ${url.href}`;
    const cached = etags.get(key);
    if (cached && this.#connection.ownNow < cached.notBeforeMs) return unchanged(cached, url);
    const request = { method: 'GET', url, bytesMax: bodyBytesMax, cached } as const;
    const reply = await this.#connection.send(this.#tool, request, signal);
    const { headers } = reply;
    const notBeforeMs = this.#connection.ownNow + pollIntervalMs(headers);
    if (reply.status === 304 && cached) {
      const next = headers.has('link') ? nextIn(headers.get('link')) : cached.next;
      const renewed = { ...cached, next, notBeforeMs };
      etags.set(key, renewed);
      return unchanged(renewed, url);
    }
    const picked = pickedOf(reply, pick, this.#named('GET', url));
    const next = nextIn(headers.get('link'));
    const etag = headers.get('etag') ?? undefined;
    // The next response is compared with this one, not with an earlier one.
    const json = jsonOf(picked);
    const isCached = (etag !== undefined || pollIntervalMs(headers) > 0) && json !== null;
    if (isCached) etags.set(key, { etag, from: reply.from, picked: json, next, notBeforeMs });
    else etags.delete(key);
    return { body: picked, unchanged: false, ...movedFrom(url, reply), next };
  }

  #address(path: string): URL {
    return addressOf(this.#connection.baseUrl, path);
  }

  #nextAddress(page: URL, next: string): URL {
    try {
      return this.#address(next);
    } catch (error) {
      if (!(error instanceof ToolAway)) throw error;
      throw new ListCut(`${this.#named('GET', page)}: ${error.message}`);
    }
  }

  #named(method: string, url: URL): string {
    return `${method} ${pathOf(this.#connection.baseUrl, url)}`;
  }
}

/** Each URL of a caller has one `pick`, so the cached value has its type. */
function unchanged<Picked>({ picked, from, next }: CachedAnswer, url: URL): Read<Picked> {
  const body = picked === undefined ? picked : JSON.parse(picked);
  return { body, unchanged: true, ...movedFrom(url, { from }), next };
}

function movedFrom({ href }: URL, { from }: Pick<ToolReply, 'from'>): Pick<Answer<unknown>, 'isMoved'> {
  return from === href ? {} : { isMoved: true };
}

/** Null for a value that is nested too deeply for the stack; such a value isn't cached. */
function jsonOf(picked: unknown): string | undefined | null {
  try {
    return JSON.stringify(picked);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function pickedOf<Picked>({ body }: ToolReply, pick: (body: unknown) => Picked, name: string): Picked {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ToolAway(`${name}: broken JSON`);
  }
  try {
    return pick(parsed);
  } catch (error) {
    throw new ToolAway(`${name}: unexpected answer (${error instanceof Error ? error.message : 'unknown'})`);
  }
}

function pollIntervalMs(headers: Headers): number {
  const text = headers.get('x-poll-interval') ?? '';
  return /^\d+$/.test(text) ? Math.min(pollIntervalMsMax, Number(text) * 1000) : 0;
}
