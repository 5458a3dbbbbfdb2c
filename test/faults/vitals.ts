import { metricsOf } from '@shiplog/testing/metrics';
import type { Account } from './instance.ts';
import type { System } from './system.ts';
import { pause } from './watches.ts';

/** A sample of an instance's resources. */
export interface Vitals extends Account {
  /** Milliseconds since the first sample was due. */
  readonly at: number;
  /** Whether no fault was in progress. */
  readonly calm: boolean;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly connections: number;
  readonly statements: number;
}

/** Samples the instance that no fault stops until the signal is aborted. */
export async function takeVitals(
  { spared }: System,
  { everyMs, isCalm, signal }: { everyMs: number; isCalm: () => boolean; signal: AbortSignal },
): Promise<Vitals[]> {
  const startedAt = performance.now();
  const samples: Vitals[] = [];
  while (!signal.aborted) {
    const calm = isCalm();
    // Both reject if the instance does not respond.
    const sample = await Promise.all([metricsOf(spared.url), spared.account()]).catch(() => undefined);
    if (sample) {
      const [{ residentBytes, heapBytes }, account] = sample;
      const at = performance.now() - startedAt;
      samples.push({ at, calm: calm && isCalm(), residentBytes, heapBytes, ...account, ...spared.usage });
    }
    await pause(everyMs, signal);
  }
  return samples;
}

export function mostOf(vitals: readonly Vitals[], measure: 'residentBytes' | 'backlogBytes'): number {
  return Math.max(...vitals.map((sample) => sample[measure]));
}

export function inMb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
