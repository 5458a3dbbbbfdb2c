import { statuses } from '@shiplog/contract';
import { anEvent, clearingIds, minute, readClearings, type StreamReader } from '@shiplog/testing';
import { expect } from 'vitest';
import { expectDerived } from './derived.ts';
import { type Posted, post } from './posting.ts';
import { storedEvents } from './stored.ts';

interface Answered extends Posted {
  /** How many resets any instance had reported as completed when the response arrived. */
  readonly completed: number;
}

const places = 4;

/** Posts from many clients while resets clear the log, with a reader on the control stream of each instance. */
export class ClearingRun {
  readonly answered: Answered[] = [];
  readonly #databaseUrl: string;
  readonly #controls: readonly StreamReader[];
  #posts = 0;

  constructor(databaseUrl: string, controls: readonly StreamReader[]) {
    this.#databaseUrl = databaseUrl;
    this.#controls = controls;
  }

  get stored(): number {
    return this.answered.filter(({ event }) => event).length;
  }

  /** Posts one event. There are few slots and times, so the latest row of a slot is often not the last row stored. */
  async post(url: string): Promise<Answered> {
    this.#posts += 1;
    const posted = await post(
      url,
      anEvent({
        service: `service-${this.#posts % places}`,
        status: statuses[this.#posts % 3] ?? 'success',
        happened_at: minute((this.#posts * 7) % 60),
      }),
    );
    const answered = { ...posted, completed: this.#completed() };
    this.answered.push(answered);
    return answered;
  }

  /** Posts without a pause until stopped. */
  postOn(urls: readonly string[], clients: number): { stop: () => Promise<void> } {
    let stopped = false;
    const loop = async (client: number) => {
      while (!stopped) await this.post(urls[client % urls.length] ?? '');
    };
    const loops = Array.from({ length: clients }, (_, client) => loop(client));
    return {
      stop: async () => {
        stopped = true;
        await Promise.all(loops);
      },
    };
  }

  /**
   * Checks that each post was stored or was rejected by a reset, and that the log has all events since the last
   * clearing.
   */
  async isTrue(): Promise<void> {
    const refused = this.answered.filter(({ event }) => !event);
    const reasons = refused.map(({ status, problem, headers }) => `${status} ${problem} ${headers.get('retry-after')}`);
    expect([...new Set(reasons)].filter((reason) => !/^503 \/problems\/reset-in-progress [1-5]$/.test(reason))).toEqual(
      [],
    );
    const facts = await readClearings(this.#databaseUrl);
    expect(facts.untold).toBe(0);
    const clearings = clearingIds(facts);
    expect(clearings).toHaveLength(this.#completed());
    // Row ids and frame ids come from the same clock, so this shows that nothing was stored while the gate was closed.
    for (const [n, started] of this.#controls[0]?.frames.filter(({ event }) => event === 'reset-started').entries() ??
      []) {
      expect(millisecond(clearings[n]) <= millisecond(started.id)).toBe(true);
    }
    const events = this.answered.flatMap(({ event, completed }) => (event ? [{ event, completed }] : []));
    // If n resets had completed when a post returned, its row was stored after the nth clearing, because each earlier
    // post had been stored or rejected before.
    const tooLate = events.filter(({ event, completed }) => event.id <= (clearings[completed - 1] ?? ''));
    expect(tooLate).toEqual([]);
    const stored = await storedEvents(this.#databaseUrl);
    const last = clearings.at(-1) ?? '';
    const due = events.map(({ event }) => event).filter(({ id }) => id > last);
    expect(stored).toEqual(due.toSorted((left, right) => (left.id < right.id ? -1 : 1)));
    await expectDerived(this.#databaseUrl);
  }

  #completed(): number {
    const counts = this.#controls.map(({ frames }) => frames.filter(({ event }) => event === 'reset-completed').length);
    return Math.max(...counts);
  }
}

/** The timestamp at the start of a UUIDv7. */
function millisecond(id = ''): string {
  return id.slice(0, 13);
}
