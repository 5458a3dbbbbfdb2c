import { escapeUnsafe } from '@shiplog/text';

/** Words that mean the same in a name; the longer ones first, where one begins another. */
const synonyms: readonly (readonly [words: RegExp, one: string])[] = [
  [/production/g, 'prod'],
  [/staging|stage/g, 'stg'],
  [/development/g, 'dev'],
];

/** Characters that are not drawn: zero-width ones, and those that turn the direction of what follows. */
const unseen = /\p{Cf}/gu;

/**
 * Groups of names that differ only in case, `-`, `_`, `.`, characters that are not drawn, or words that mean the same
 * (questions.md 10.2, `look-alike`); each group by code point. A name with characters that are not drawn is a group of
 * its own where no other is like it: whoever types what the board shows does not find it.
 */
export function lookAlikes(names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const plain = plainOf(name);
    groups.set(plain, [...(groups.get(plain) ?? []), name]);
  }
  return [...groups.values()].filter((group) => group.length > 1 || group.some(hasUnseen));
}

function hasUnseen(name: string): boolean {
  return name.search(unseen) >= 0;
}

/** A name in quotes, with escapes for the characters that are not drawn. */
export function quoted(name: string): string {
  return escapeUnsafe(JSON.stringify(name));
}

function plainOf(name: string): string {
  const plain = name.toLowerCase().replace(unseen, '').replace(/[-_.]/g, '');
  return synonyms.reduce((text, [words, one]) => text.replace(words, one), plain);
}
