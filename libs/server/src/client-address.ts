import { BlockList, isIP, isIPv6 } from 'node:net';
import type { proxyTrusts } from '@shiplog/contract';
import type { FastifyRequest } from 'fastify';
import type { Setting } from './settings.ts';

export function trustedProxiesSetting(): Setting<readonly string[] | undefined> {
  return networksSetting('TRUSTED_PROXIES');
}

export function networksSetting(variable: string): Setting<readonly string[] | undefined> {
  return {
    variable,
    takes: 'comma-separated addresses and networks, such as 127.0.0.1,10.2.0.0/16, or empty to trust none',
    fallback: undefined,
    parse: (text) => {
      if (text === '') return [];
      const networks = text.split(',').map((part) => part.trim());
      return networks.every(isNetwork) ? networks : undefined;
    },
  };
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv6(address) ? 128 : 32));
}

/**
 * Whether a request came through proxies, and whether all of them are trusted. Fastify reads `X-Forwarded-For` from the
 * end, as long as the sender of each entry is trusted (`trustProxy` in `http.ts`).
 */
export function proxyTrust({ raw, ips }: FastifyRequest): (typeof proxyTrusts)[number] {
  const forwarded = raw.headers['x-forwarded-for'];
  if (forwarded === undefined) return 'none';
  const entries = String(forwarded).split(',').length;
  return ips !== undefined && ips.length > entries ? 'trusted' : 'untrusted';
}

/**
 * The client's identity for rate limits: its IPv4 address, or its 64-bit IPv6 network, which usually belongs to one
 * machine.
 */
export function clientOf(request: FastifyRequest): string {
  const address = plainAddress(request.ip);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Whether an address is one of these addresses or in one of these networks. */
export function networkCheck(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

/** Sockets that listen on IPv6 map IPv4 addresses. A socket closed by the client has no address. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
