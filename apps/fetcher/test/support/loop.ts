import { CallRefused } from '@shiplog/client';
import { TestClock, testLogger } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { Source, Step } from '../../src/adapter.ts';
import type { Json } from '../../src/change.ts';
import { CursorKeeper, cursorText, parseCursor } from '../../src/sources/cursor-keeper.ts';
import { SourceLoop } from '../../src/sources/source-loop.ts';
import { SourceState } from '../../src/sources/source-runner.ts';

export const intervalMs = 30_000;
export const ids = {
  older: '019c5d1e-0000-7000-8000-000000000001',
  own: '019c5d1e-0000-7000-8000-000000000002',
  younger: '019c5d1e-0000-7000-8000-000000000003',
};

/** The cursors of a service, kept in memory. */
export class CursorStore {
  state: { cursor: string; updated_at: string } | undefined;
  puts = 0;
  isAway = false;
  #writes = 0;

  readonly client = {
    getFetcherState: async () => {
      if (this.isAway) throw new TypeError('fetch failed');
      if (!this.state) throw new CallRefused('getFetcherState', 404, new Headers(), undefined);
      return { status: 200, headers: new Headers(), body: { adapter: 'a', ...this.state } };
    },
    putFetcherState: async ({ body }: { body: { cursor: string } }) => {
      if (this.isAway) throw new TypeError('fetch failed');
      this.puts += 1;
      this.write(body.cursor);
      return { status: 204, headers: new Headers(), body: undefined };
    },
  } as never;

  write(cursor: string): void {
    this.#writes += 1;
    this.state = { cursor, updated_at: new Date(this.#writes).toISOString() };
  }

  /** Writes as another process. */
  writeAs(owner: string, memory: Json): void {
    this.write(cursorText({ owner, usage: { resetEpoch: 0, charged: 0 }, memory }));
  }

  get memory(): Json | undefined {
    return this.state && parseCursor(this.state.cursor)?.memory;
  }
}

/** A source with scripted cycles and pages; an error in place of a step is thrown. */
export class ScriptedSource implements Source {
  readonly defaults = { service: () => 'shop', version: '' };
  readonly polls: (Step | Error)[][] = [];
  readonly pages: (Step | Error)[] = [];
  /** The calls to the source, in order. */
  readonly asked: string[] = [];

  begin(from: Date, memory?: Json): Json {
    return { from: from.toISOString(), ...(memory !== undefined && { memory }) };
  }

  startingAt(instant: Date): Json {
    return { at: instant.toISOString() };
  }

  async *poll(memory: Json, { only, signal }: { only?: ReadonlySet<string>; signal: AbortSignal }) {
    this.asked.push(only ? `hints ${[...only].join(' ')}` : `poll ${JSON.stringify(memory)}`);
    for (const step of this.polls.shift() ?? []) {
      signal.throwIfAborted();
      if (step instanceof Error) throw step;
      yield step;
    }
  }

  async *backfill() {
    for (;;) {
      const page = this.pages.shift();
      if (!page) return;
      this.asked.push('page');
      if (page instanceof Error) throw page;
      yield page;
    }
  }

  fit(memory: Json): Json {
    return memory;
  }

  figures() {
    return { open: 0, forbidden: [], failing: [], warnings: [], backfill: null, oldestPollMs: undefined };
  }
}

export function loopOf(store = new CursorStore(), owner = ids.own) {
  const clock = new TestClock();
  const source = new ScriptedSource();
  const told: string[] = [];
  const published: string[] = [];
  const progress = { count: 0 };
  const onFailed = (sentence: string) => void told.push(`bad: ${sentence}`);
  const state = new SourceState(clock, onFailed, () => void told.push('well'));
  const quota = { used: undefined, restore: () => undefined };
  const keeper = new CursorKeeper({ client: store.client, adapter: 'a', owner, clock, quota });
  const log = testLogger(undefined);
  const loop = new SourceLoop({
    ...{ source, keeper, state, clock, log, intervalMs },
    connection: { backfillUntil: () => undefined, cycleOver: () => undefined, now: () => clock.now().getTime() },
    begin: (memory) => memory ?? 'first',
    onCycleStart: () => undefined,
    onCycleEnd: () => undefined,
    publish: async (changes, signal) => {
      signal.throwIfAborted();
      published.push(...changes.map(({ id }) => id));
    },
    forgetLog: () => void told.push('forget'),
    onCleared: () => void told.push('cleared'),
    onAttempt: () => undefined,
    onProgress: () => {
      progress.count += 1;
    },
  });
  onTestFinished(async () => {
    clock.end();
    await loop.halt({ store: false });
  });
  /** Starts or resumes the loop until it sleeps for the rest of its interval. */
  const cycle = async () => {
    if (source.asked.length === 0 && clock.slept.length === 0) loop.start();
    else clock.advance(intervalMs);
    await clock.asleep(intervalMs);
  };
  return { loop, clock, source, state, store, told, published, progress, cycle };
}
