import type { LookupFunction } from 'node:net';
import { guardedLookup, isInner, isThisMachine, type Resolve } from '@shiplog/component';
import { ToolAway } from './refusals.ts';

/** Resolves a path or a link of the same origin. @throws ToolAway for a path that is changed by dots. */
export function addressOf(baseUrl: string, path: string): URL {
  const base = new URL(baseUrl);
  if (path.startsWith('/')) {
    const url = new URL(base.origin + base.pathname.replace(/\/$/, '') + path);
    const segments = (text: string) => text.split('/').length;
    const [asked = ''] = path.split('?');
    const isPlain = segments(url.pathname) === segments(base.pathname.replace(/\/$/, '') + asked) && url.hash === '';
    if (isPlain) return url;
    throw new ToolAway(
      `the path ${url.pathname} is not the intended one: a segment has dots or other special characters`,
    );
  }
  const url = URL.canParse(path) ? new URL(path) : undefined;
  if (url?.origin === base.origin && !hasUser(url)) return url;
  throw new ToolAway(`a link points to ${url?.origin ?? 'nowhere'} instead of ${base.origin}, the tool's own address`);
}

/** The path below the base URL, without the query, which may be secret. */
export function pathOf(baseUrl: string, { pathname }: URL): string {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
}

/** The target of `rel="next"` in a `Link` header (RFC 8288), as written. */
export function nextIn(link: string | null): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, bare = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? bare).toLowerCase().split(/\s+/);
    if (relations.includes('next')) return target;
  }
  return undefined;
}

/**
 * The target of a redirect. @throws ToolAway if it must not be followed: from HTTPS to plain HTTP, or from a public to
 * a private address. Host names are checked when connecting (`redirectLookup`).
 */
export function redirectTarget(location: string | null, from: URL): URL {
  const to = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (!to || !/^https?:$/.test(to.protocol) || hasUser(to)) throw new ToolAway('a redirect has no valid target');
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    throw new ToolAway(`a redirect points to plain HTTP: ${to.origin}`);
  if (isInternal(to.hostname) && !isInternal(from.hostname))
    throw new ToolAway(`a redirect points to a private network address: ${to.origin}`);
  to.hash = '';
  return to;
}

function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/** Whether a host is this machine or a private address. */
export function isInternal(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return isInner(host) || isThisMachine(host);
}

/** A lookup that refuses private addresses for a redirect; `undefined` if the redirect comes from a private address. */
export async function redirectLookup(from: URL, resolve: Resolve): Promise<LookupFunction | undefined> {
  if (isInternal(from.hostname) || (await addressesOf(from.hostname, resolve)).some(isInternal)) return undefined;
  const refusal = (hostname: string) => `a redirect points to a private network address: ${hostname}`;
  return guardedLookup(resolve, { isRefused: isInternal, refusal });
}

/** Empty if the name can't be resolved. */
function addressesOf(hostname: string, resolve: Resolve): Promise<string[]> {
  return new Promise((done) => {
    resolve(hostname, (error, addresses) => done(error ? [] : addresses.map(({ address }) => address)));
  });
}
