/** Steps that undo what a start has begun. They run in reverse order, because each builds on those before it. */
export class Undo {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step even when one fails, then throws the first error. A second call does nothing. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
