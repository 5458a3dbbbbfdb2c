import type { IssuerKind } from './issuer.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** GitHub's claims that ignore case; every other claim, above all `ref`, is compared exactly (access.md 9.14). */
const caseless = new Set(['repository', 'repository_owner', 'environment', 'actor']);

/** The form in which names of this kind are compared. */
export function foldedName(kind: IssuerKind | undefined, name: string): string {
  // ASCII only, so that no other letter becomes an ASCII letter.
  return kind === 'github' ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : name;
}

/** Whether two values of a claim are equal. */
export function isSameClaim(kind: IssuerKind, claim: string, one: string, other: string): boolean {
  const folded = (text: string) => (caseless.has(claim) ? foldedName(kind, text) : text);
  return folded(one) === folded(other);
}

/** The text of a claim by its name or JSON Pointer; `undefined` if it is missing, a list, an object or null. */
export function claimText(claims: Claims, name: string): string | undefined {
  const value = claimValue(claims, name);
  if (typeof value === 'string') return value;
  const isPlain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return isPlain ? JSON.stringify(value) : undefined;
}

/** The value of a claim, of any type. */
export function claimValue(claims: Claims, name: string): unknown {
  if (!name.startsWith('/')) return Object.hasOwn(claims, name) ? claims[name] : undefined;
  let value: unknown = claims;
  for (const part of name.slice(1).split('/')) {
    const member = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(member)) return undefined;
    value = (value as Claims)[member];
  }
  return value;
}

/** The names of the claims about a repository and its owner, for each kind of issuer that has them. */
export const repositoryClaims = {
  github: { name: 'repository', id: 'repository_id', owner: 'repository_owner', ownerId: 'repository_owner_id' },
  gitlab: { name: 'project_path', id: 'project_id', owner: 'namespace_path', ownerId: 'namespace_id' },
} as const;

/** A repository's address without scheme, a trailing slash and `.git`; its host in lower case. */
export function plainRepository(kind: IssuerKind, address: string): string {
  const plain = address
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^[^/]*/, (host) => host.toLowerCase());
  return foldedName(kind, plain);
}
