import { instantKey, parseInstant } from '@shiplog/contract';
import { Places } from '../log/places.ts';

/** The order of rows by their instants: ten bytes for each while they come, and some twenty more while it is made. */
export class InstantOrder {
  readonly #ms = new Places(Float64Array);
  /** Of the millisecond. */
  readonly #microseconds = new Places(Uint16Array);

  /** Takes the instant of the next row, as RFC 3339 has it. */
  add(instant: string): void {
    const key = instantKey(parseInstant(instant) ?? instant);
    this.#ms.add(Date.parse(`${key.slice(0, 23)}Z`));
    this.#microseconds.add(Number(key.slice(23)));
  }

  /** Whether two rows, by their positions, have the same instant. */
  isSame(one: number, other: number): boolean {
    return this.#compare(one, other) === 0;
  }

  /** How many rows happened before this, in milliseconds since 1970. */
  countBefore(ms: number): number {
    let count = 0;
    for (let at = 0; at < this.#ms.size; at += 1) if (this.#ms.at(at) < ms) count += 1;
    return count;
  }

  /** The positions of the rows in the order of their instants; those of the same instant as they came. */
  positions(): Uint32Array {
    const positions = new Uint32Array(this.#ms.size);
    for (let at = 0; at < positions.length; at += 1) positions[at] = at;
    return positions.sort((one, other) => this.#compare(one, other) || one - other);
  }

  #compare(one: number, other: number): number {
    return this.#ms.at(one) - this.#ms.at(other) || this.#microseconds.at(one) - this.#microseconds.at(other);
  }
}
