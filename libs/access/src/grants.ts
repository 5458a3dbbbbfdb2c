import type { May } from '@shiplog/contract';
import { compileGlobs } from '@shiplog/text';

/** A credential that may do nothing (access.md 9.7). */
export const noMay: May = {
  post: null,
  hold: null,
  report: [],
  state: [],
  outage: false,
  read: false,
  control: false,
};

const everywhere = { services: ['*'], environments: ['*'] };

/** What the shared key may do. */
export const sharedMay: May = {
  post: everywhere,
  hold: everywhere,
  report: ['*'],
  state: ['*'],
  outage: true,
  read: true,
  control: false,
};

/** Each list of globs in the access file is compiled once. */
const compiled = new WeakMap<readonly string[], (name: string) => boolean>();

/** Whether one of the globs matches the whole name (questions.md 2.1). */
export function matchesAny(globs: readonly string[], name: string): boolean {
  const matches = compiled.get(globs) ?? compileGlobs(globs);
  compiled.set(globs, matches);
  return matches(name);
}
