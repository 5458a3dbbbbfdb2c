import { hash } from 'node:crypto';

const keyLength = 6;

/**
 * Short names for repositories in a cursor: the first 6 base64url characters of the SHA-256 of the path in lower case, and
 * as many more as those need that would share theirs (fetcher §6).
 * @param names no two of them differ in letter case alone
 */
export function repositoryKeys(names: Iterable<string>): Map<string, string> {
  const digests = [...names].map((name) => ({ name, digest: hash('sha256', name.toLowerCase(), 'base64url') }));
  digests.sort((one, other) => (one.digest < other.digest ? -1 : 1));
  const keys = digests.map(({ name, digest }, index) => {
    const neighbours = [digests[index - 1], digests[index + 1]].map((one) => sharedLength(digest, one?.digest ?? ''));
    return [name, digest.slice(0, Math.max(keyLength, ...neighbours.map((shared) => shared + 1)))] as const;
  });
  return new Map(keys);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
