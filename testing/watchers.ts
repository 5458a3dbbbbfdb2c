/** Promises that wait for conditions on a changing object. Call `changed` to check the conditions again. */
export class Watchers {
  readonly #looks = new Set<() => void>();

  /** Resolves when the condition is true. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition()) return;
        this.#looks.delete(look);
        resolve();
      };
      this.#looks.add(look);
      look();
    });
  }

  changed(): void {
    for (const look of [...this.#looks]) look();
  }
}
