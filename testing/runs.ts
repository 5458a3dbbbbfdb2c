import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** How many times as many samples a property draws as it names. */
    readonly samples: number;
  }
}

/** How many samples a property draws: half as many as it names every day, and several times as many in the slow run. */
export function runs(named: number): number {
  return Math.ceil(named * inject('samples'));
}
