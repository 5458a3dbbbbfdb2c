/** A task in a slot. `before` returns whether this task runs before another waiting task. */
export interface SlotTask {
  readonly slot: string;
  before(other: this): boolean;
  run(): Promise<void>;
}

/**
 * Runs the tasks of a slot one at a time, in the order that `before` defines, and runs several slots in parallel. Slots
 * take turns, so that a long queue does not delay other slots.
 */
export class SlotQueue<Task extends SlotTask> {
  readonly #slotsAtOnce: number;
  /** The waiting tasks of each slot that has waiting or running tasks. */
  readonly #waiting = new Map<string, Task[]>();
  /** The slots that have waiting tasks but no running task. */
  readonly #ready: string[] = [];
  #running = 0;

  constructor(slotsAtOnce: number) {
    this.#slotsAtOnce = slotsAtOnce;
  }

  add(task: Task): void {
    const waiting = this.#waiting.get(task.slot);
    if (waiting) {
      const at = waiting.findIndex((other) => task.before(other));
      waiting.splice(at < 0 ? waiting.length : at, 0, task);
    } else {
      this.#waiting.set(task.slot, [task]);
      this.#ready.push(task.slot);
    }
    this.#fill();
  }

  #fill(): void {
    while (this.#running < this.#slotsAtOnce) {
      const slot = this.#ready.shift();
      if (slot === undefined) return;
      void this.#runNext(slot);
    }
  }

  async #runNext(slot: string): Promise<void> {
    this.#running += 1;
    // Sort the tasks that were added in the same turn of the event loop before running any of them.
    await Promise.resolve();
    const waiting = this.#waiting.get(slot) ?? [];
    await waiting.shift()?.run();
    this.#running -= 1;
    if (waiting.length > 0) this.#ready.push(slot);
    else this.#waiting.delete(slot);
    this.#fill();
  }
}
