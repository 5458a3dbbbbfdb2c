import { randomUUID } from 'node:crypto';

const sequenceMax = 0xfff;

/**
 * Creates ids like the service (reading 3.4): UUIDv7 with milliseconds and a 12-bit sequence number. Ids increase even
 * while the clock stops or goes back.
 */
export class EventIds {
  #ms = 0;
  #sequence = 0;

  next(nowMs: number): string {
    if (nowMs > this.#ms) {
      this.#ms = nowMs;
      this.#sequence = 0;
    } else if (this.#sequence < sequenceMax) {
      this.#sequence += 1;
    } else {
      this.#ms += 1;
      this.#sequence = 0;
    }
    const ms = hex(this.#ms, 12);
    return `${ms.slice(0, 8)}-${ms.slice(8)}-7${hex(this.#sequence, 3)}${randomUUID().slice(18)}`;
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
