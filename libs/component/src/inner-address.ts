import ipaddr from 'ipaddr.js';

const innerRanges: ReadonlySet<string> = new Set([
  ...['private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified', 'deprecatedSiteLocal'],
]);

/** The byte offset of the IPv4 address that a translator embeds in an IPv6 address. */
const carriedAt: Readonly<Record<string, number>> = { rfc6052: 12, rfc6145: 12, '6to4': 2 };

const localTranslators = ipaddr.parseCIDR('64:ff9b:1::/48');

/**
 * Whether an address is internal to a network, in any spelling (relay §9.11), including IPv4 in IPv6, mapped or
 * translated. Anything that isn't an address is not internal.
 */
export function isInner(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (innerRanges.has(address.range())) return true;
  // Addresses of a local translator (RFC 8215) always belong to the internal network.
  if (address.kind() === 'ipv6' && address.match(localTranslators)) return true;
  const at = carriedAt[address.range()];
  if (at === undefined) return false;
  return isInner(
    address
      .toByteArray()
      .slice(at, at + 4)
      .join('.'),
  );
}

/** Whether a host name or address means this machine. */
export function isThisMachine(host: string): boolean {
  if (/(^|\.)localhost$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
