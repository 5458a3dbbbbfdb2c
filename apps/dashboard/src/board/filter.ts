import type { DeploymentEvent, MatrixRow, MatrixSlot } from '@shiplog/contract';
import { slotIn } from './board.ts';

/** What a viewer wants to see, of rows and of events alike. */
export interface Filter {
  /** Globs (`*`, `?`); none = every service. */
  readonly services: readonly string[];
  readonly environments: readonly string[];
  /** Looked for in names, versions and people; `undefined` = nothing. */
  readonly text: string | undefined;
  /** Only what is broken or running. */
  readonly only: 'failed' | 'running' | undefined;
}

/**
 * `*` is any text and `?` any one character; case does not count. A pattern without either is a whole name. In steps of
 * one, since a regular expression of many stars can take longer than a browser lives, and a link brings the pattern.
 */
export function globMatches(glob: string, name: string): boolean {
  const [pattern, text] = [[...glob.toLowerCase()], [...name.toLowerCase()]];
  let [at, position] = [0, 0];
  /** Where the last star stands, and how much of the text it has taken. */
  let star: { at: number; until: number } | undefined;
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = { at, until: position };
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[position])) {
      at += 1;
      position += 1;
    } else if (star) {
      star.until += 1;
      position = star.until;
      at = star.at + 1;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((sign) => sign === '*');
}

function anyMatches(globs: readonly string[], name: string): boolean {
  return globs.length === 0 || globs.some((glob) => globMatches(glob, name));
}

export function wantsEnvironment({ environments }: Filter, name: string): boolean {
  return anyMatches(environments, name);
}

/** Whether a row has something to show in the columns that stand. */
export function wantsRow(filter: Filter, row: MatrixRow, columns: readonly string[]): boolean {
  const { service } = row;
  if (!anyMatches(filter.services, service)) return false;
  if (!filter.only && !filter.text) return true;
  const cells = columns.flatMap((name) => slotIn(row, name) ?? []);
  if (filter.only && !cells.some((slot) => isKind(filter.only, slot))) return false;
  const { text } = filter;
  if (!text) return true;
  return includes(text, [service]) || cells.some((slot) => slotIncludes(text, slot));
}

function isKind(only: Filter['only'], { current, prev_failed }: MatrixSlot): boolean {
  if (only === 'running') return current.status === 'in-progress';
  return current.status === 'failure' || prev_failed === true;
}

function slotIncludes(text: string, { current, last_successful, next }: MatrixSlot): boolean {
  return [current, last_successful, next].some((event) => event && includes(text, wordsOf(event)));
}

/** Whether an event belongs to what the viewer looks at. */
export function wantsEvent(filter: Filter, event: DeploymentEvent): boolean {
  if (!anyMatches(filter.services, event.service) || !anyMatches(filter.environments, event.environment)) return false;
  if (filter.only === 'failed' && event.status !== 'failure') return false;
  if (filter.only === 'running' && event.status !== 'in-progress') return false;
  return (
    !filter.text || includes(filter.text, [event.service, event.environment, event.deployment_id, ...wordsOf(event)])
  );
}

function wordsOf({ version, sha, ref, run_number, actor }: DeploymentEvent): readonly (string | undefined)[] {
  return [version, sha, ref, run_number, actor];
}

function includes(text: string, words: readonly (string | undefined)[]): boolean {
  const wanted = text.toLowerCase();
  return words.some((word) => word?.toLowerCase().includes(wanted));
}
