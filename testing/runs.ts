import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** How many times as many samples a property draws as it does every day. */
    readonly samples: number;
  }
}

/** How many samples a property draws: so many every day, and several times as many in the slow run. */
export function runs(everyDay: number): number {
  return everyDay * inject('samples');
}
