import type { Client, Clock } from '@shiplog/client';
import type { KeyName } from '@shiplog/contract';

export interface Finding {
  /** A `fault` must be fixed; a `note` is informational. */
  readonly level: 'ok' | 'note' | 'fault';
  readonly check: string;
  /** The finding. A fault also says what to do. The text may contain user-supplied names. */
  readonly text: string;
}

export interface Installation {
  readonly url: string;
  /** Whether the service runs on this machine, where development keys are safe. */
  readonly isLocal: boolean;
  readonly client: Client;
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type Check = (installation: Installation) => Promise<readonly Finding[]>;

export function finding(level: Finding['level'], check: string, text: string): Finding {
  return { level, check, text };
}

export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
