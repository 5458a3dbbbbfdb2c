/** Words that mean the same in a name; the longer ones first, where one begins another. */
const synonyms: readonly (readonly [words: RegExp, one: string])[] = [
  [/production/g, 'prod'],
  [/staging|stage/g, 'stg'],
  [/development/g, 'dev'],
];

/**
 * Groups of names that differ only in case, `-`, `_`, `.`, or words that mean the same (questions.md 10.2, `look-alike`);
 * each group by code point.
 */
export function lookAlikes(names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const plain = plainOf(name);
    groups.set(plain, [...(groups.get(plain) ?? []), name]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function plainOf(name: string): string {
  const plain = name.toLowerCase().replace(/[-_.]/g, '');
  return synonyms.reduce((text, [words, one]) => text.replace(words, one), plain);
}
