import { usageFailure } from '../failure.ts';

/**
 * Whether a name matches one of some globs, or whether none is given: `*` is any run of characters, `?` one, and `\`
 * takes the next literally; the whole name, letter case counts (questions.md 2.1).
 * @throws Failure for a glob that is empty or ends in a bare `\`.
 */
export function globs(option: string, given: readonly string[] = []): (name: string) => boolean {
  const patterns = given.map((glob) => patternOf(option, glob));
  return (name) => patterns.length === 0 || patterns.some((pattern) => pattern.test(name));
}

function patternOf(option: string, glob: string): RegExp {
  const parts = [...glob.matchAll(/\\(.)|([*]+)|(\?)|([^\\])/gsu)];
  const length = parts.reduce((sum, [part]) => sum + part.length, 0);
  if (glob === '' || length < glob.length) {
    throw usageFailure(`${option} takes a name with * and ?, such as 'pay-*', and no bare \\ at its end.`);
  }
  const source = parts.map(([, escaped, run, one, plain]) => {
    // A run of stars is one: several in a row would take a match without end.
    if (run !== undefined) return '.*';
    return one !== undefined ? '.' : (escaped ?? plain ?? '').replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 'su');
}
