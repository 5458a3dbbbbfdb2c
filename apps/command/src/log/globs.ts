import { patterns } from '@shiplog/contract';
import { compileGlob } from '@shiplog/text';
import { usageFailure } from '../failure.ts';

const isGlob = new RegExp(patterns.glob, 'u');

/**
 * Whether a name matches one of the globs (questions.md 2.1); every name does if no glob is given.
 * @throws Failure for a glob that is empty or ends in a bare `\`.
 */
export function globs(option: string, given: readonly string[] = []): (name: string) => boolean {
  if (given.some((glob) => glob === '' || !isGlob.test(glob))) {
    throw usageFailure(`${option} accepts a name with * and ?, such as 'pay-*', without a trailing backslash.`);
  }
  const matchers = given.map(compileGlob);
  return (name) => matchers.length === 0 || matchers.some((matches) => matches(name));
}
