import type { Client, Clock } from '@shiplog/client';
import type { KeyName } from '@shiplog/contract';

/** What one check found: `fault` is to be mended, `note` is good to know. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'fault';
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** One sentence; of a fault it says what to do. May hold texts of strangers. */
  readonly text: string;
}

/** What every check is handed. */
export interface Examined {
  readonly url: string;
  /** On this machine, where development keys are fine. */
  readonly isLocal: boolean;
  readonly client: Client;
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type Check = (examined: Examined) => Promise<readonly Finding[]>;

export function finding(level: Finding['level'], check: string, text: string): Finding {
  return { level, check, text };
}

/** Whether an address is one of this machine alone. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
