import { instantKey, parseInstant } from '@shiplog/contract';
import { Places } from '../log/places.ts';

/** Sorts rows by time: takes ten bytes per row, and about twenty more while sorting. */
export class InstantOrder {
  readonly #ms = new Places(Float64Array);
  /** Microseconds within the millisecond. */
  readonly #microseconds = new Places(Uint16Array);

  /** Adds the time of the next row, in RFC 3339. */
  add(instant: string): void {
    const key = instantKey(parseInstant(instant) ?? instant);
    this.#ms.add(Date.parse(`${key.slice(0, 23)}Z`));
    this.#microseconds.add(Number(key.slice(23)));
  }

  /** Whether the rows at two positions have the same time. */
  isSame(one: number, other: number): boolean {
    return this.#compare(one, other) === 0;
  }

  /** The number of rows before a time in milliseconds since 1970. */
  countBefore(ms: number): number {
    let count = 0;
    for (let at = 0; at < this.#ms.size; at += 1) if (this.#ms.at(at) < ms) count += 1;
    return count;
  }

  /** The row positions sorted by time; rows with the same time keep their order. */
  positions(): Uint32Array {
    const positions = new Uint32Array(this.#ms.size);
    for (let at = 0; at < positions.length; at += 1) positions[at] = at;
    return positions.sort((one, other) => this.#compare(one, other) || one - other);
  }

  #compare(one: number, other: number): number {
    return this.#ms.at(one) - this.#ms.at(other) || this.#microseconds.at(one) - this.#microseconds.at(other);
  }
}
