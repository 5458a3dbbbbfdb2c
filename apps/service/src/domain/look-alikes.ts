import { escapeUnsafe } from '@shiplog/text';

/** Synonyms in names. If one starts with another, the longer one must come first. */
const synonyms: readonly (readonly [words: RegExp, one: string])[] = [
  [/production/g, 'prod'],
  [/staging|stage/g, 'stg'],
  [/development/g, 'dev'],
];

/** Invisible characters: zero-width characters and characters that change the text direction. */
const unseen = /\p{Cf}/gu;

/**
 * Groups of names that differ only in case, `-`, `_`, `.`, invisible characters or synonyms (questions.md 10.2,
 * `look-alike`). A name with invisible characters is a group even on its own, because users who type the name as the
 * board shows it can't find it.
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

/** A name in quotes, with invisible characters escaped. */
export function quoted(name: string): string {
  return escapeUnsafe(JSON.stringify(name));
}

function plainOf(name: string): string {
  const plain = name.toLowerCase().replace(unseen, '').replace(/[-_.]/g, '');
  return synonyms.reduce((text, [words, one]) => text.replace(words, one), plain);
}
