import { isInner, isThisMachine } from '@shiplog/component';
import { type AllowedHosts, isAllowed, portOf } from '../sender/allowed-hosts.ts';

/** The fault in a target's address, as a clause. The address may be a secret, so the clause names at most its host. */
export function addressFault(text: string, allowed: AllowedHosts): string | undefined {
  const url = URL.canParse(text) && /^https?:\/\//i.test(text) ? new URL(text) : undefined;
  if (url?.username !== '' || url.password !== '')
    return 'must be a URL such as https://acme.com/path, without a user name';
  if (isAllowed(allowed, url.hostname, portOf(url))) return undefined;
  if (url.protocol !== 'https:' && !isThisMachine(bare(url.hostname))) {
    return `uses http for ${url.hostname}; use https, or add the host to allow_hosts`;
  }
  return innerFault(url.hostname);
}

/** The fault in a host that is an address; names are checked when a connection is made (relay §9.11). */
export function innerFault(hostname: string): string | undefined {
  if (!isInner(bare(hostname))) return undefined;
  return `uses ${hostname}, an address inside the network; add it to allow_hosts if this is intended`;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
