import type { LookupFunction } from 'node:net';
import { guardedLookup, isInner, isThisMachine, type Resolve } from '@shiplog/component';

/** Whether a host is this machine or a private address. */
export function isInternal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return isInner(host) || isThisMachine(host);
}

/**
 * The lookup for the target of a redirect: a redirect from outside must not lead into a private network.
 * `undefined` if the redirecting host is itself inside.
 */
export async function redirectLookup(from: URL, resolve: Resolve): Promise<LookupFunction | undefined> {
  if (isInternal(from.hostname) || (await addressesOf(from.hostname, resolve)).some(isInternal)) return undefined;
  const refusal = (hostname: string) => `a redirect leads to a private network, to ${hostname}`;
  return guardedLookup(resolve, { isRefused: isInternal, refusal });
}

/** None if the name can't be resolved. */
function addressesOf(hostname: string, resolve: Resolve): Promise<string[]> {
  return new Promise((done) => {
    resolve(hostname, (error, addresses) => done(error ? [] : addresses.map(({ address }) => address)));
  });
}
