/** What somebody typed, without what says nothing: "Show me what failed?" is "what failed". */
export function cleaned(typed: string): string {
  return typed
    .trim()
    .replace(/[?!.\s]+$/, '')
    .replace(/\s+/g, ' ')
    .replace(/^(?:please |show (?:me )?|tell me |find )+/i, '');
}

/** Its words without those. */
export function wordsBut(typed: string, fillers: ReadonlySet<string>): string[] {
  return cleaned(typed)
    .split(' ')
    .filter((word) => word !== '' && !fillers.has(word.toLowerCase()));
}

/** Every way to cut words in two, both parts with something in them. */
export function cuts(words: readonly string[]): (readonly [before: string, after: string])[] {
  return words.slice(1).map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')]);
}
