import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import { CallRefused, type Client, type Clock, type Proposal } from '../../src/index.ts';

export type Fate = 'stored' | 'refused' | 'away' | 'lost before' | 'lost after' | 'down after';

/**
 * An in-memory service whose responses the test chooses. A `lost` call gets no response, before or after storing the
 * row.
 */
export class MemoryService {
  readonly rows: DeploymentEvent[] = [];
  /** The outcomes of the next posts. After these, every post is stored. */
  readonly fates: Fate[] = [];
  readonly listFates: ('answered' | 'away')[] = [];
  lists = 0;
  posts = 0;
  #waiting: (() => void)[] | undefined;

  readonly client = {
    listDeployments: async ({ query }: { query: { deployment_id: string; limit: number; cursor?: string } }) => {
      this.lists += 1;
      await this.#turn();
      if (this.listFates.shift() === 'away') throw new TypeError('fetch failed');
      const all = this.rows.filter(({ deployment_id }) => deployment_id === query.deployment_id);
      const from = Number(query.cursor ?? 0);
      const items = all.slice(from, from + this.pageRows);
      const next_cursor = from + items.length < all.length ? String(from + items.length) : null;
      return { status: 200, headers: new Headers(), body: { items, next_cursor } };
    },
    appendDeployment: async ({ body, signal }: { body: DeploymentEventIngest; signal?: AbortSignal }) => {
      this.posts += 1;
      await this.#turn();
      await new Promise<void>((resolve, reject) => {
        if (!this.#waiting) return resolve();
        this.#waiting.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      const fate = this.fates.shift() ?? 'stored';
      if (fate === 'refused') throw new CallRefused('post', 422, new Headers(), undefined);
      if (fate === 'away') throw new CallRefused('post', 503, new Headers({ 'retry-after': '7' }), undefined);
      if (fate === 'lost before') throw new TypeError('fetch failed');
      const row = { ...body, id: String(this.rows.length + 1).padStart(8, '0') } as DeploymentEvent;
      this.rows.push(row);
      if (fate === 'lost after') throw new TypeError('fetch failed');
      if (fate === 'down after') throw new CallRefused('post', 502, new Headers(), undefined);
      return { status: 201, headers: new Headers(), body: row };
    },
  } as unknown as Client;

  readonly pageRows: number;

  constructor(pageRows = 500) {
    this.pageRows = pageRows;
  }

  hold(): void {
    this.#waiting = [];
  }

  /** The number of posts that are waiting for their release. */
  get held(): number {
    return this.#waiting?.length ?? 0;
  }

  releaseOne(): void {
    this.#waiting?.shift()?.();
  }

  release(): void {
    for (const resolve of this.#waiting?.splice(0) ?? []) resolve();
    this.#waiting = undefined;
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

/** A clock that advances by the duration of each sleep. */
export class QuickClock implements Clock {
  readonly slept: number[] = [];
  #now = Date.UTC(2026, 0, 1);

  now(): Date {
    return new Date(this.#now);
  }

  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.#now += ms;
    await turn();
  }
}

export const never = new AbortController().signal;
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function proposal(n: number, over: Partial<DeploymentEventIngest> = {}, rest: Partial<Proposal> = {}): Proposal {
  return {
    event: {
      deployment_id: `d-${n % 3}`,
      service: `s-${n % 2}`,
      environment: 'dev',
      status: 'in-progress',
      happened_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
      ...over,
    },
    order: 0,
    identity: 'instant',
    ...rest,
  };
}
