import type { Client, Clock } from '@shiplog/client';
import { type KeyName, keyHeaders } from '@shiplog/contract';
import type { Failure } from '../failure.ts';

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

interface Limit {
  readonly ms: number;
  /** Thrown after that time. */
  readonly tooLate: Failure;
}

/** Aborts the work after a time. */
export async function within<Result>(
  { clock, signal }: Pick<Installation, 'clock' | 'signal'>,
  { ms, tooLate }: Limit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const [late, settled] = [new AbortController(), new AbortController()];
  void clock.sleep(ms, settled.signal).then(() => late.abort(tooLate));
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } finally {
    settled.abort();
  }
}

/** The headers of a read, for a service that does not let everyone read. */
export function readHeaders({ keys: { api } }: Installation): Record<string, string> {
  return api === undefined ? {} : { [keyHeaders.api]: api };
}

/** Whether a service that does not let everyone read refused to answer. */
export function isReaderRefused({ status }: Pick<Response, 'status'>): boolean {
  return status === 401 || status === 403;
}

export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
