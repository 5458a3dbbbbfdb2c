const anyRun = Symbol('any run of characters');
const anyCharacter = Symbol('any character');
type Part = string | typeof anyRun | typeof anyCharacter;

/**
 * Compiles a glob (questions.md 2.1) to a test of whole names: `*` matches any run of characters, `?` one code point, and
 * `\` takes the next character literally. Only the last run is ever retried, so matching takes at most the product of both
 * lengths, whatever the glob.
 */
export function compileGlob(glob: string): (name: string) => boolean {
  const parts = globParts(glob);
  return (name) => matches(parts, [...name]);
}

/** The only name that a glob matches; `undefined` if it may match several. */
export function literalName(glob: string): string | undefined {
  const parts = globParts(glob);
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

/** The glob that matches this name only. */
export function literalGlob(name: string): string {
  return name.replace(/[*?\\]/g, '\\$&');
}

/** The SQL LIKE pattern (with its default escape `\`) that matches the same names. */
export function likePattern(glob: string): string {
  const like = (part: Part) => (part === anyRun ? '%' : part === anyCharacter ? '_' : escapeLike(part));
  return globParts(glob).map(like).join('');
}

/** Text as a LIKE pattern that matches only itself. */
export function escapeLike(text: string): string {
  return text.replace(/[%_\\]/g, '\\$&');
}

function globParts(glob: string): Part[] {
  return [...glob.matchAll(/\\([\s\S])|[\s\S]/gu)].map(([written, literal]) => {
    if (literal !== undefined) return literal;
    if (written === '*') return anyRun;
    return written === '?' ? anyCharacter : written;
  });
}

function matches(parts: readonly Part[], name: readonly string[]): boolean {
  let [part, at] = [0, 0];
  let [afterRun, tried] = [-1, 0];
  while (at < name.length) {
    if (parts[part] === anyRun) [afterRun, tried, part] = [part + 1, at, part + 1];
    else if (part < parts.length && (parts[part] === anyCharacter || parts[part] === name[at]))
      [part, at] = [part + 1, at + 1];
    else if (afterRun < 0) return false;
    else [part, at, tried] = [afterRun, tried + 1, tried + 1];
  }
  return parts.slice(part).every((remaining) => remaining === anyRun);
}
