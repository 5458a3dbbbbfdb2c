import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Resolves a name to all its addresses, as `dns.lookup` does; tests replace it. */
export type Resolve = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const systemResolve: Resolve = (hostname, callback) => lookup(hostname, { all: true }, callback);

export interface LookupGuard {
  isRefused(address: string): boolean;
  refusal(hostname: string): string;
}

/**
 * A connection's `lookup` function. It rejects names that resolve to a forbidden address. The connection uses the
 * checked addresses, so the name can't resolve differently between the check and the connection (relay §9.11).
 */
export function guardedLookup(resolve: Resolve, { isRefused, refusal }: LookupGuard): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) {
        callback(error ?? Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '');
      } else if (addresses.some(({ address }) => isRefused(address))) {
        callback(Object.assign(new Error(refusal(hostname)), { code: 'EINNER' }), '');
      } else if (all) {
        callback(null, addresses);
      } else callback(null, first.address, first.family);
    });
  };
}
