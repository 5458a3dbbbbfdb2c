import type { CiRequest } from '@shiplog/companions';
import { globPattern } from './globs.ts';

/** The latest requests to the tools, and their totals (CI emulator §5.5). */
export class RequestLog {
  readonly #max: number;
  #items: CiRequest[] = [];
  #counts = { total: 0, not_modified: 0, charged: 0, refused: 0 };

  constructor(max: number) {
    this.#max = max;
  }

  get counts() {
    return this.#counts;
  }

  add(request: CiRequest): void {
    this.#counts.total += 1;
    if (request.status === 304) this.#counts.not_modified += 1;
    if (request.charged) this.#counts.charged += 1;
    if (request.status >= 400) this.#counts.refused += 1;
    this.#items.push(request);
    // Entries are dropped in blocks, because each cut copies the remaining ones.
    if (this.#items.length > this.#max * 2) this.#items = this.#kept();
  }

  clear(): void {
    this.#items = [];
    this.#counts = { total: 0, not_modified: 0, charged: 0, refused: 0 };
  }

  /** Lists entries, oldest first. */
  list({ since, path }: { readonly since?: string | undefined; readonly path?: string | undefined } = {}): CiRequest[] {
    const pattern = path === undefined ? undefined : globPattern(path);
    const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    return this.#kept().filter((item) => Date.parse(item.at) >= from && (!pattern || pattern.test(item.path)));
  }

  #kept(): CiRequest[] {
    return this.#max === 0 ? [] : this.#items.slice(-this.#max);
  }
}
