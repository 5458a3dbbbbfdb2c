/** Something to do in a slot; `before` tells whether it belongs before another one that waits there. */
export interface SlotTask {
  readonly slot: string;
  before(other: this): boolean;
  run(): Promise<void>;
}

/**
 * Runs the tasks of each slot one after the other, in their own order as far as they wait together, and those of several
 * slots at once. Slots take turns, so that a long queue in one delays no other.
 */
export class SlotQueue<Task extends SlotTask> {
  readonly #slotsAtOnce: number;
  /** The waiting tasks of each slot that has any, or that one is running in. */
  readonly #waiting = new Map<string, Task[]>();
  /** Slots with waiting tasks, in which none is running. */
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
    // Tasks that are added in the same turn of the event loop take their places first.
    await Promise.resolve();
    const waiting = this.#waiting.get(slot) ?? [];
    await waiting.shift()?.run();
    this.#running -= 1;
    if (waiting.length > 0) this.#ready.push(slot);
    else this.#waiting.delete(slot);
    this.#fill();
  }
}
