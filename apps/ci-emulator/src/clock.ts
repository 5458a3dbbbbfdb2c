/** The time that the emulator shows. Delays, emission and deliveries use the real clock. */
export interface EmulatorClock {
  readonly kind: 'real' | 'virtual';
  now(): number;
}

const realClock: EmulatorClock = { kind: 'real', now: () => Date.now() };

/** A clock that changes only when it is moved, and only forwards (CI emulator §2). */
export class VirtualClock implements EmulatorClock {
  readonly kind = 'virtual';
  #nowMs: number;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** Ignores an instant in the past. */
  moveTo(ms: number): void {
    this.#nowMs = Math.max(this.#nowMs, ms);
  }
}

/** The clock for a setting: `real`, an instant, or `virtual`, which starts at the last UTC midnight. */
export function clockOf(setting: 'real' | 'virtual' | Date): EmulatorClock {
  if (setting === 'real') return realClock;
  return new VirtualClock(setting === 'virtual' ? new Date().setUTCHours(0, 0, 0, 0) : setting.getTime());
}
