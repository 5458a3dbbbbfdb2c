/** Time as the emulator tells it. What it waits for by itself (delays, emission, deliveries) runs by the real clock. */
export interface EmulatorClock {
  readonly kind: 'real' | 'virtual';
  now(): number;
}

const realClock: EmulatorClock = { kind: 'real', now: () => Date.now() };

/** Stands still until it is moved, and moves forwards only (CI emulator §2). */
export class VirtualClock implements EmulatorClock {
  readonly kind = 'virtual';
  #nowMs: number;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** An instant that has passed leaves it where it is. */
  moveTo(ms: number): void {
    this.#nowMs = Math.max(this.#nowMs, ms);
  }
}

/** The clock of a setting: `real`, an instant, or `virtual` for one that begins at the last UTC midnight. */
export function clockOf(setting: 'real' | 'virtual' | Date): EmulatorClock {
  if (setting === 'real') return realClock;
  return new VirtualClock(setting === 'virtual' ? new Date().setUTCHours(0, 0, 0, 0) : setting.getTime());
}
