/** An issuer of identity tokens, as the access file defines it (access.md 1.2, 9.11). */
export interface Issuer {
  readonly name: string;
  readonly kind: IssuerKind;
  readonly url: string;
  readonly audience: string;
  /** Where its repositories are; `undefined` if that is unknown. */
  readonly serverUrl: string | undefined;
  readonly jwksFile: string | undefined;
  readonly caFile: string | undefined;
}

export const issuerKinds = ['github', 'gitlab', 'generic'] as const;
export type IssuerKind = (typeof issuerKinds)[number];

/** Anyone can get a token from these issuers. */
const publicIssuers: Readonly<Record<string, string>> = {
  'https://token.actions.githubusercontent.com': 'https://github.com',
  'https://gitlab.com': 'https://gitlab.com',
};

export const defaultUrls: Readonly<Record<IssuerKind, string | undefined>> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
  generic: undefined,
};

/** An issuer counts as public by its URL, not by its kind. */
export function isPublic({ url }: Pick<Issuer, 'url'>): boolean {
  return Object.hasOwn(publicIssuers, comparableUrl(url));
}

/** An issuer's kind. The URL of a public issuer determines it, whatever the file says (access.md 9.11). */
export function kindAt(url: string, kind: IssuerKind): IssuerKind {
  const known = issuerKinds.find((each) => {
    const ofKind = defaultUrls[each];
    return ofKind !== undefined && ofKind === comparableUrl(url);
  });
  return known ?? kind;
}

/** URLs that differ only in the case of the host, a default port or a trailing slash belong to one issuer. */
export function comparableUrl(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}

/** The server of an issuer's repositories, if the issuer's URL reveals it. */
export function serverOf(kind: IssuerKind, url: string): string | undefined {
  if (isPublic({ url })) return publicIssuers[comparableUrl(url)];
  const [, server] = /^(https?:\/\/[^/]+)\/_services\/token$/.exec(url) ?? [];
  if (server !== undefined) return server;
  const [, sub] = /^https:\/\/token\.actions\.([^/]+\.ghe\.com)$/.exec(url) ?? [];
  if (sub !== undefined) return `https://${sub}`;
  return kind === 'gitlab' ? url.replace(/\/+$/, '') : undefined;
}

/** Whether a URL is https, or http on this machine. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
