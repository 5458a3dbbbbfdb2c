import ipaddr from 'ipaddr.js';

const innerRanges: ReadonlySet<string> = new Set([
  ...['private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified', 'deprecatedSiteLocal'],
]);

/** Where an address of IPv6 carries one of IPv4 for a translator, in bytes from its beginning. */
const carriedAt: Readonly<Record<string, number>> = { rfc6052: 12, rfc6145: 12, '6to4': 2 };

const localTranslators = ipaddr.parseCIDR('64:ff9b:1::/48');

/**
 * Whether an address lies inside a network, whatever it is spelled like (relay §9.11): also as IPv4 in IPv6, mapped or
 * translated. What is no address is not inside.
 */
export function isInner(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (innerRanges.has(address.range())) return true;
  // Translators of a network's own (RFC 8215) lead inside whatever they carry.
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

/** Whether a host is this machine: by its number, or the name that stands for it alone. */
export function isThisMachine(host: string): boolean {
  if (/(^|\.)localhost$/i.test(host)) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}
