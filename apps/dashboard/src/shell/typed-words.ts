/** Removes words and punctuation without meaning: "Show me what failed?" becomes "what failed". */
export function cleaned(typed: string): string {
  return typed
    .trim()
    .replace(/[?!.\s]+$/, '')
    .replace(/\s+/g, ' ')
    .replace(/^(?:please |show (?:me )?|tell me |find )+/i, '');
}

export function wordsBut(typed: string, fillers: ReadonlySet<string>): string[] {
  return cleaned(typed)
    .split(' ')
    .filter((word) => word !== '' && !fillers.has(word.toLowerCase()));
}

/** Every way to split words in two non-empty parts. */
export function cuts(words: readonly string[]): (readonly [before: string, after: string])[] {
  return words.slice(1).map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')]);
}
