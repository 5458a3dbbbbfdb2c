import { createHash } from 'node:crypto';

/** A weak validator over the content: equal on every instance and after a restart (reading 4.4). */
export function weakEtag(...content: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of content) hash.update(`${Buffer.byteLength(part)}\n`).update(part);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** `If-None-Match` as RFC 9110 defines it: a list or `*`, compared weakly. */
export function etagMatches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((candidate) => candidate.replace(/^W\//, '') === opaque);
}
