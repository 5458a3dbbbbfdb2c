import type { Clock } from '@shiplog/client';
import { type Act, ScriptedServer } from '@shiplog/testing';
import { Budget } from '../../src/domain/budget.ts';
import { ToolConnection } from '../../src/tool/tool-connection.ts';
import type { Tool, ToolHttp } from '../../src/tool/tool-http.ts';

/** Time passes while a caller sleeps, or when a test advances it. */
export class PassingClock implements Clock {
  readonly slept: number[] = [];
  #nowMs: number;

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.advance(ms);
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}

export const never = new AbortController().signal;
export const asIs = (body: unknown) => body;
export const token = 'secret-token';

/** Counts requests against the quota as GitHub does. */
export const testTool: Tool = {
  headers: async () => ({ Authorization: `Bearer ${token}`, Accept: 'application/test', 'X-Api-Version': '1' }),
  isLimit: (text) => text.includes('secondary rate limit'),
  rateOf: (headers) => {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
    if (limit == null || remaining == null || reset == null) return undefined;
    return { limit: Number(limit), remaining: Number(remaining), resetMs: Number(reset) * 1000 };
  },
  isCharged: (status, path) => status !== 304 && status !== 401 && path !== '/rate_limit',
};

export interface AskedToolOptions {
  readonly requestsPerMinute?: number;
  readonly percent?: number;
  readonly quota?: number;
  readonly timeoutMs?: number;
  /** The path of the base URL. */
  readonly below?: string;
}

/** A connection to a scripted tool with one caller and the test's clock. */
export class AskedTool {
  readonly server: ScriptedServer;
  readonly clock = new PassingClock();
  readonly connection: ToolConnection;
  readonly http: ToolHttp;
  /** The reports to the observer, such as `200` and `304 free`. */
  readonly heard: string[] = [];

  static async open(options: AskedToolOptions = {}): Promise<AskedTool> {
    return new AskedTool(await ScriptedServer.open(), options);
  }

  private constructor(
    server: ScriptedServer,
    { requestsPerMinute = 300, percent = 100, quota = 0, below = '', timeoutMs = 10_000 }: AskedToolOptions,
  ) {
    this.server = server;
    this.connection = new ToolConnection({
      baseUrl: `${server.url}${below}`,
      clock: this.clock,
      requestsPerMinute,
      budget: new Budget({ percent, quota }),
      observer: { onAnswer: ({ code, charged }) => this.heard.push(`${code}${charged ? '' : ' free'}`) },
      timeoutMs,
    });
    this.http = this.connection.http(testTool);
  }

  get(path: string, signal: AbortSignal = never): Promise<unknown> {
    return this.http.get(path, signal, asIs);
  }

  /** A JSON response, dated by the test's clock. */
  says(body: unknown, headers: Readonly<Record<string, string>> = {}): Act {
    return this.answers(200, JSON.stringify(body), headers);
  }

  answers(status: number, body: string | Uint8Array = '', headers: Readonly<Record<string, string>> = {}): Act {
    return (response) => response.writeHead(status, { date: this.clock.now().toUTCString(), ...headers }).end(body);
  }

  /** The headers of a quota whose window ends in this many seconds. */
  rate(limit: number, remaining: number, secondsLeft: number): Record<string, string> {
    const reset = Math.floor(this.clock.now().getTime() / 1000) + secondsLeft;
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(reset),
    };
  }

  /** The headers of the requests for a path. */
  headersOf(path: string): Record<string, unknown>[] {
    return this.server.received.filter(({ url }) => url === path).map(({ headers }) => headers);
  }

  get urls(): string[] {
    return this.server.received.map(({ url }) => url);
  }
}

/** The error of a call in one line: its class and its other members. */
export async function refusalOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return { kind: error.constructor.name, ...error, message: error.message };
  }
  throw new Error('nothing was thrown');
}
