import { dayMs, dayNumber } from './civil.ts';

/**
 * A time zone from the runtime's IANA database. A wall clock time is a number: the milliseconds since 1970 if it were a
 * time in UTC.
 */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  /** Needs no conversion, which takes microseconds. */
  readonly #isUtc: boolean;

  /** `undefined` if the runtime doesn't know the zone. */
  static named(name: string): Zone | undefined {
    try {
      return new Zone(name);
    } catch {
      return undefined;
    }
  }

  static readonly utc = new Zone('UTC');

  private constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: name, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', era: 'short' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    this.name = name;
    this.#isUtc = this.#format.resolvedOptions().timeZone === 'UTC';
  }

  wallOf(instantMs: number): number {
    if (this.#isUtc) return instantMs;
    const parts = new Map(this.#format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
    const day = dayNumber({ year, month: number('month'), day: number('day') });
    return day * dayMs + ((number('hour') * 60 + number('minute')) * 60 + number('second')) * 1000;
  }

  /**
   * The instant of a wall clock time: the first one if the time occurs twice. A skipped time is read with the offset
   * before the change (RFC 5545 §3.3.5).
   */
  instantOf(wallMs: number): number {
    const before = this.#offsetAt(wallMs - dayMs);
    const after = this.#offsetAt(wallMs + dayMs);
    const first = wallMs - before;
    if (before === after || this.#offsetAt(first) === before) return first;
    const second = wallMs - after;
    return this.#offsetAt(second) === after ? second : first;
  }

  #offsetAt(instantMs: number): number {
    return this.wallOf(instantMs) - instantMs;
  }
}
