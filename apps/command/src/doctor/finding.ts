import type { Client, Clock } from '@shiplog/client';
import type { KeyName } from '@shiplog/contract';

/** What one check found: `fault` is to be mended, `note` is good to know. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'fault';
  /** The check, in a word or two. */
  readonly check: string;
  /** What was found; for a fault also what to do. May contain user-supplied text. */
  readonly text: string;
}

/** The input of every check. */
export interface Examined {
  readonly url: string;
  /** The address is on this machine, where development keys are safe. */
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

/** Whether an address is a loopback address. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
