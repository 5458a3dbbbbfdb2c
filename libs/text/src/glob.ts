/**
 * Compiles a glob (questions.md 2.1) to a function that tests whole names. `*` matches any characters, `?` matches one
 * code point, and `\` makes the next character literal. Only the last `*` is ever retried, so the number of steps is at
 * most the product of both lengths, whatever the glob.
 */
export function compileGlob(glob: string): (name: string) => boolean {
  const tokens = tokensOf(glob);
  return (name) => matches(tokens, [...name]);
}

/** Whether a name matches one of several globs, compiled once. */
export function compileGlobs(globs: readonly string[]): (name: string) => boolean {
  const matchers = globs.map(compileGlob);
  return (name) => matchers.some((matches) => matches(name));
}

/** The only name that a glob matches; `undefined` if the glob may match several names. */
export function literalName(glob: string): string | undefined {
  const tokens = tokensOf(glob);
  return tokens.includes('*') || tokens.includes('?') ? undefined : tokens.map(literal).join('');
}

/** A glob as people read it: without escapes if it matches only one name. */
export function globText(glob: string): string {
  return literalName(glob) ?? glob;
}

/** The glob that matches only this name. */
export function literalGlob(name: string): string {
  return name.replace(/[*?\\]/g, '\\$&');
}

/** The SQL LIKE pattern (with its default escape `\`) that matches the same names as the glob. */
export function likePattern(glob: string): string {
  const like = (token: string) => (token === '*' ? '%' : token === '?' ? '_' : escapeLike(literal(token)));
  return tokensOf(glob).map(like).join('');
}

/** Escapes a string as a LIKE pattern that matches only that string. */
export function escapeLike(text: string): string {
  return text.replace(/[%_\\]/g, '\\$&');
}

/** Splits a glob into `*`, `?`, characters, and escaped characters with their backslash. */
export function tokensOf(glob: string): readonly string[] {
  return glob.match(/\\?./gsu) ?? [];
}

function literal(token: string): string {
  return token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
}

function matches(tokens: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let position = 0;
  let afterRun = 0;
  let tried = 0;
  while (position < name.length) {
    const token = tokens[at];
    if (token === '*') {
      at += 1;
      afterRun = at;
      tried = position;
    } else if (token === '?' || token === name[position] || token === `\\${name[position]}`) {
      at += 1;
      position += 1;
    } else if (afterRun > 0) {
      tried += 1;
      position = tried;
      at = afterRun;
    } else return false;
  }
  return tokens.slice(at).every((token) => token === '*');
}
