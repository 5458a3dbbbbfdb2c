/** Those who wait for a condition on something that changes: they look again whenever it has. */
export class Watchers {
  readonly #looks = new Set<() => void>();

  /** Resolves as soon as the condition holds. */
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
