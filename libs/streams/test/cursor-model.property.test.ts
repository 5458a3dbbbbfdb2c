import { runs } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cursor, type Entry, Hub } from '../src/index.ts';
import { MemoryLog } from './support/memory-log.ts';
import { MemorySink } from './support/memory-sink.ts';
import { turn } from './support/turn.ts';

const keys = ['a', 'b', 'c'];
/** More entries and more bytes than the hub stores. */
const manyEntries = 1100;
const largePadding = 'x'.repeat(50_000);
/** Two frames of this size exceed the backlog limit of a live cursor. */
const stalledFrameBytes = 40_000;

interface Reader {
  readonly cursor: Cursor;
  readonly sink: MemorySink;
  readonly filter: string | undefined;
  readonly from: string;
  /** The number of this reader's ids that were compared with the log. */
  checked: number;
  /** The position in the log up to which they were compared. */
  at: number;
}

/**
 * What wakes the hub: a notice with each append, or also occasional polls. With polls, reads may fail and notices may
 * be lost.
 */
type News = 'by notice' | 'by poll';

/** One log, one hub and some readers, driven step by step by random numbers. */
class World {
  readonly log: MemoryLog;
  readonly hub: Hub;
  readonly readers: Reader[] = [];
  readonly #news: News;

  constructor(news: News, pageEntries: number) {
    this.#news = news;
    this.log = new MemoryLog(pageEntries);
    this.hub = new Hub({ log: this.log, pollMs: 1000, onError: () => undefined, turns: () => () => Promise.resolve() });
  }

  async step([action, choice]: readonly [number, number]): Promise<void> {
    this.#act(action, choice);
    await turn();
    for (const reader of this.readers) this.#compare(reader);
  }

  #act(action: number, choice: number): void {
    const reader = this.readers[choice % Math.max(this.readers.length, 1)];
    const read = [...this.log.held][choice % Math.max(this.log.held.size, 1)];
    if (action < 15) this.#append(1 + (choice % 3), '');
    else if (action < 17) this.#append(choice % 2 === 0 ? 1 : 30, largePadding);
    else if (action === 17) this.#append(manyEntries, '');
    else if (action < 30) this.#poll();
    else if (action < 37) this.#connect(choice);
    else if (action < 40) this.#disconnect(reader);
    else if (action < 45) reader?.sink.stall(stalledFrameBytes);
    else if (action < 50) reader?.sink.take();
    else if (action < 65) read?.see();
    else if (action < 70 && this.#news === 'by poll') read?.fail();
    else read?.arrive();
  }

  #append(count: number, padding: string): void {
    for (let n = 0; n < count; n++) this.log.append(keys[(this.log.entries.length * 7) % keys.length] ?? '', padding);
    if (this.#news === 'by notice') this.hub.wake();
  }

  #poll(): void {
    if (this.#news === 'by poll') this.hub.wake();
  }

  #connect(choice: number): void {
    const filter = [undefined, ...keys][choice % 4];
    const start = choice % 5 === 0 ? this.log.entries.length : choice % (this.log.entries.length + 1);
    const from = this.log.entries[start - 1]?.id ?? '';
    const sink = new MemorySink();
    const { log, hub } = this;
    const cursor = new Cursor({ removed: '', removals: 0n, pages: log.pages, hub, sink, position: from, filter });
    this.readers.push({ cursor, sink, filter, from, checked: 0, at: start });
    void cursor.run();
  }

  #disconnect(reader: Reader | undefined): void {
    if (!reader) return;
    reader.sink.close();
    reader.cursor.close();
    this.readers.splice(this.readers.indexOf(reader), 1);
  }

  /** The entries that a reader got since the last check must be the next entries that match its filter, in order. */
  #compare(reader: Reader): void {
    for (; reader.checked < reader.sink.ids.length; reader.checked++) {
      expect(reader.sink.ids[reader.checked]).toBe(this.#nextFor(reader)?.id);
    }
  }

  #nextFor(reader: Reader): Entry | undefined {
    let entry: Entry | undefined;
    do {
      entry = this.log.entries[reader.at];
      reader.at += 1;
    } while (entry && reader.filter !== undefined && entry.key !== reader.filter);
    return entry;
  }

  /** Completes all pending work. No reader should be missing entries after that. */
  async settle(): Promise<void> {
    const due = this.readers.map(({ filter, from }) =>
      this.log.entries.filter((entry) => entry.id > from && (filter === undefined || entry.key === filter)),
    );
    const lacking = () => this.readers.some(({ sink }, index) => sink.ids.length < (due[index]?.length ?? 0));
    const rounds = this.log.entries.length + 10;
    for (let round = 0; lacking() && round < rounds; round++) await this.#settleOne();
    // Work that is still in progress must not deliver anything twice.
    for (let round = 0; round < 3; round++) await this.#settleOne();
    for (const [index, { sink }] of this.readers.entries()) {
      expect(sink.ids).toEqual(due[index]?.map((entry) => entry.id));
    }
    expect(this.hub.readerCount).toBe(this.readers.length);
  }

  async #settleOne(): Promise<void> {
    for (const { sink } of this.readers) sink.take();
    for (const read of this.log.held) read.arrive();
    this.#poll();
    await this.step([99, 0]);
  }
}

const steps = fc.array(fc.tuple(fc.nat(99), fc.nat(1000)), { minLength: 20, maxLength: 200, size: 'max' });

async function drive(news: News, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(2, 3, 7, 500), steps, async (pageEntries, drawn) => {
      const world = new World(news, pageEntries);
      for (const step of drawn) await world.step(step);
      await world.settle();
    }),
    { numRuns, interruptAfterTimeLimit: 40_000 },
  );
}

test('every reader gets every entry once and in order, in any interleaving of reads, polls, stalls and failures', async () => {
  await drive('by poll', runs(40));
});

test('no reader waits for a poll if every append has its notice and no read fails', async () => {
  await drive('by notice', runs(30));
});
