const run = Symbol('any run');
const one = Symbol('any character');
type Part = string | typeof run | typeof one;

/**
 * Whether a name is one that a glob means (questions.md 2.1): `*` is any run of characters, `?` is one, `\` takes the next
 * one literally; characters are code points. The last run alone is ever tried again, so that the time is at most the
 * product of both lengths, whatever the glob is.
 */
export function compileGlob(glob: string): (name: string) => boolean {
  const parts = partsOf(glob);
  return (name) => matches(parts, [...name]);
}

/** The one name that a glob means; `undefined` where it may mean several. */
export function nameOf(glob: string): string | undefined {
  const parts = partsOf(glob);
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

/** The glob that means this name alone. */
export function globOf(name: string): string {
  return name.replace(/[*?\\]/g, '\\$&');
}

function partsOf(glob: string): Part[] {
  return [...glob.matchAll(/\\([\s\S])|[\s\S]/gu)].map(([written, literal]) => {
    if (literal !== undefined) return literal;
    if (written === '*') return run;
    return written === '?' ? one : written;
  });
}

function matches(parts: readonly Part[], name: readonly string[]): boolean {
  let [part, at] = [0, 0];
  let [afterRun, tried] = [-1, 0];
  while (at < name.length) {
    if (parts[part] === run) [afterRun, tried, part] = [part + 1, at, part + 1];
    else if (part < parts.length && (parts[part] === one || parts[part] === name[at])) [part, at] = [part + 1, at + 1];
    else if (afterRun < 0) return false;
    else [part, at, tried] = [afterRun, tried + 1, tried + 1];
  }
  return parts.slice(part).every((rest) => rest === run);
}
