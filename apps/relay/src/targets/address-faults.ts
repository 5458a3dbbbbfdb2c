import { isInner, isThisMachine } from '@shiplog/component';
import { type AllowedHosts, isAllowed, portOf } from '../sender/allowed-hosts.ts';

/** What is wrong with the address of a target, as a clause; the address may be a secret, so at most its host is told. */
export function addressFault(text: string, allowed: AllowedHosts): string | undefined {
  const url = URL.canParse(text) && /^https?:\/\//i.test(text) ? new URL(text) : undefined;
  if (url?.username !== '' || url.password !== '') return 'must be a URL such as https://acme.com/path, without user';
  if (isAllowed(allowed, url.hostname, portOf(url))) return undefined;
  if (url.protocol !== 'https:' && !isThisMachine(bare(url.hostname))) {
    return `leads to ${url.hostname} without https; use https, or add the host to allow_hosts`;
  }
  return innerFault(url.hostname);
}

/** The same of a host by its number; names are looked at when a connection is made (relay §9.11). */
export function innerFault(hostname: string): string | undefined {
  if (!isInner(bare(hostname))) return undefined;
  return `leads to ${hostname}, an address inside the network; add it to allow_hosts if that is meant`;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
