import type { BudgetMemory, RateSnapshot } from '../domain/budget.ts';
import { addressOf, nextIn, pathOf } from './addresses.ts';
import { Etags, type Held } from './etags.ts';
import { ListCut, ToolAway } from './refusals.ts';
import type { Answer, Page, Tool, ToolHttp } from './tool-http.ts';
import { type Told, ToolLine, type ToolLineOptions } from './tool-line.ts';

const bodyBytesMax = 10 * 1024 * 1024;
const pagesMax = 1000;
/** The longest poll interval that a tool may ask for. */
const pollIntervalMsMax = 3_600_000;

interface Shared {
  readonly line: ToolLine;
  readonly etags: Etags;
  readonly options: ToolLineOptions;
}

/** All requests of one source to its tool (fetcher §7), with their limits and cached answers. */
export class ToolConnection {
  readonly #shared: Shared;
  #callers = 0;

  /** `budget` must not be shared. */
  constructor(options: ToolLineOptions) {
    this.#shared = { line: new ToolLine(options), etags: new Etags(), options };
  }

  http(tool: Tool): ToolHttp {
    this.#callers += 1;
    return new ToolCaller(this.#shared, tool, String(this.#callers));
  }

  now(): number {
    return this.#shared.line.now();
  }

  /** After a reset: forgets cached answers and redirects, but not limits. */
  forget(): void {
    this.#shared.etags.forget();
    this.#shared.line.forgetMoved();
  }

  /** Requests from here on are for the backfill, until an instant of the fetcher's clock; `undefined`: for polling. */
  backfillUntil(untilMs: number | undefined): void {
    this.#shared.line.backfillUntil(untilMs);
  }

  /** A polling cycle ended: what it used is reserved for the next ones. */
  cycleOver(): void {
    this.#shared.line.cycleOver();
  }

  /** For health and reports; null until the tool has reported its limits. */
  get rateLimit(): RateSnapshot | null {
    return this.#shared.options.budget.snapshot;
  }

  get used(): BudgetMemory | undefined {
    return this.#shared.options.budget.memory;
  }

  restore(used: BudgetMemory): void {
    this.#shared.options.budget.restore(used, this.now());
  }
}

/** What `get` and a page have in common. */
interface Looked<Picked> extends Answer<Picked> {
  readonly next: string | undefined;
}

class ToolCaller implements ToolHttp {
  readonly #shared: Shared;
  readonly #tool: Tool;
  readonly #id: string;

  constructor(shared: Shared, tool: Tool, id: string) {
    this.#shared = shared;
    this.#tool = tool;
    this.#id = id;
  }

  async get<Picked>(path: string, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Answer<Picked>> {
    const { next: _, ...answer } = await this.#look(this.#address(path), signal, pick);
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
      const looked: Looked<Picked> = await this.#look(url, signal, pick);
      const { next, ...answer } = looked;
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
    const asked = { method: 'POST', url, content: JSON.stringify(body), bytesMax: bodyBytesMax } as const;
    const told = await this.#shared.line.send(this.#tool, asked, signal);
    return pickedOf(told, pick, this.#named('POST', url));
  }

  async bytes(path: string, signal: AbortSignal, bytesMax: number): Promise<Uint8Array> {
    const asked = { method: 'GET', url: this.#address(path), bytesMax, isFile: true } as const;
    return (await this.#shared.line.send(this.#tool, asked, signal)).body;
  }

  rediscover(): void {
    this.#shared.line.forgetMoved();
  }

  get hasTurn(): boolean {
    return this.#shared.line.hasTurn;
  }

  get hasSpare(): boolean {
    return this.#shared.line.hasSpare;
  }

  now(): number {
    return this.#shared.line.now();
  }

  settledNow(): number {
    return this.#shared.line.settledNow();
  }

  /** Sends a conditional request for a cached answer, and none before the tool's poll interval is over. */
  async #look<Picked>(url: URL, signal: AbortSignal, pick: (body: unknown) => Picked): Promise<Looked<Picked>> {
    signal.throwIfAborted();
    const { line, etags, options } = this.#shared;
    const key = `${this.#id} ${url.href}`;
    const held = etags.get(key);
    if (held && options.clock.now().getTime() < held.notBeforeMs) return unchanged(held, url);
    const asked = { method: 'GET', url, bytesMax: bodyBytesMax, held } as const;
    const told = await line.send(this.#tool, asked, signal);
    const { headers } = told;
    const notBeforeMs = options.clock.now().getTime() + pollIntervalMs(headers);
    if (told.status === 304 && held) {
      const next = headers.has('link') ? nextIn(headers.get('link')) : held.next;
      const kept = { ...held, next, notBeforeMs };
      etags.set(key, kept);
      return unchanged(kept, url);
    }
    const picked = pickedOf(told, pick, this.#named('GET', url));
    const next = nextIn(headers.get('link'));
    const etag = headers.get('etag') ?? undefined;
    // The next answer is compared with this one, not with an earlier one.
    const json = jsonOf(picked);
    const isHeld = (etag !== undefined || pollIntervalMs(headers) > 0) && json !== null;
    if (isHeld) etags.set(key, { etag, from: told.from, picked: json, next, notBeforeMs });
    else etags.delete(key);
    return { body: picked, unchanged: false, ...movedFrom(url, told), next };
  }

  #address(path: string): URL {
    return addressOf(this.#shared.options.baseUrl, path);
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
    return `${method} ${pathOf(this.#shared.options.baseUrl, url)}`;
  }
}

/** Each address of a caller has one `pick`, so the cached value has its type. */
function unchanged<Picked>({ picked, from, next }: Held, url: URL): Looked<Picked> {
  const body = picked === undefined ? picked : JSON.parse(picked);
  return { body, unchanged: true, ...movedFrom(url, { from }), next };
}

function movedFrom({ href }: URL, { from }: Pick<Told, 'from'>): Pick<Answer<unknown>, 'isMoved'> {
  return from === href ? {} : { isMoved: true };
}

/** Null for a value that nests too deep for the stack: it isn't cached. */
function jsonOf(picked: unknown): string | undefined | null {
  try {
    return JSON.stringify(picked);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function pickedOf<Picked>({ body }: Told, pick: (body: unknown) => Picked, name: string): Picked {
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
