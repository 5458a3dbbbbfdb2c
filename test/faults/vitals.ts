import { metricsOf } from '@shiplog/testing/metrics';
import type { Instance } from './instance.ts';
import type { System } from './system.ts';
import { pause } from './watches.ts';

/** A sample of an instance's resources. */
export interface Vitals {
  /** Milliseconds since the scheduled time of the first sample. */
  readonly at: number;
  /** Whether no fault was in progress. */
  readonly calm: boolean;
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Open handles other than connections. */
  readonly handles: number;
  /** The maximum number of listeners for one event of one object. */
  readonly listeners: number;
  /** The maximum number of bytes waiting for one peer. */
  readonly backlogBytes: number;
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
    const sample = await look(spared).catch(() => undefined);
    if (sample) samples.push({ at: performance.now() - startedAt, calm: calm && isCalm(), ...sample });
    await pause(everyMs, signal);
  }
  return samples;
}

/** Rejects if the instance does not respond. */
async function look(instance: Instance): Promise<Omit<Vitals, 'at' | 'calm'>> {
  const { residentBytes, heapBytes } = await metricsOf(instance.url);
  return { residentBytes, heapBytes, ...(await instance.account()), ...instance.usage };
}
