type Rows = Map<string, Map<string, number>>;

/** How many requests of each kind each program was sent, and what they were answered. */
export class Tally {
  total = 0;
  readonly #programs: readonly string[];
  readonly #kinds: Rows = new Map();
  readonly #statuses: Rows = new Map();

  constructor(programs: readonly string[]) {
    this.#programs = programs;
  }

  count(program: string, kind: string, statuses: readonly number[]): void {
    this.total += 1;
    add(this.#kinds, kind, program);
    for (const status of statuses) add(this.#statuses, `→ ${status}`, program);
  }

  /** A line for each kind, then for each status; a column for each program. */
  table(): string {
    const line = (name: string, cells: readonly (string | number)[]) =>
      `${name.padEnd(34)}${cells.map((cell) => String(cell).padStart(13)).join('')}\n`;
    const counted = ([name, row]: readonly [string, ReadonlyMap<string, number>]) =>
      line(
        name,
        this.#programs.map((program) => row.get(program) ?? 0),
      );
    return [
      line(`${this.total} requests`, this.#programs),
      ...[...this.#kinds].map(counted),
      ...[...this.#statuses].sort().map(counted),
    ].join('');
  }
}

function add(rows: Rows, name: string, program: string): void {
  const row = rows.get(name) ?? new Map<string, number>();
  rows.set(name, row.set(program, (row.get(program) ?? 0) + 1));
}
