import type { LookupFunction } from 'node:net';
import { guardedLookup, isInner, isThisMachine, type Resolve } from '@shiplog/component';

/** Whether a host is this machine, or by its number one of a private network. */
export function isInternal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return isInner(host) || isThisMachine(host);
}

/**
 * How the name that a redirect leads to is resolved: a name from outside must not lead into a network of one's own.
 * `undefined` where the one who redirects is inside itself.
 */
export async function redirectLookup(from: URL, resolve: Resolve): Promise<LookupFunction | undefined> {
  if (isInternal(from.hostname) || (await addressesOf(from.hostname, resolve)).some(isInternal)) return undefined;
  const refusal = (hostname: string) => `a redirect leads to a private network, to ${hostname}`;
  return guardedLookup(resolve, { isRefused: isInternal, refusal });
}

/** None where the name cannot be resolved. */
function addressesOf(hostname: string, resolve: Resolve): Promise<string[]> {
  return new Promise((done) => {
    resolve(hostname, (error, addresses) => done(error ? [] : addresses.map(({ address }) => address)));
  });
}
