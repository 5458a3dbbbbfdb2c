import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The factor for the number of samples that a property test specifies. */
    readonly samples: number;
  }
}

/**
 * The number of samples to draw: half of the specified number in the everyday run, a multiple of it in the slow run.
 */
export function runs(named: number): number {
  return Math.ceil(named * inject('samples'));
}
