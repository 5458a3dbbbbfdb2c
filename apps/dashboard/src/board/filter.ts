import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import type { AheadSlots } from './ahead.ts';
import { type Box, boxIn, eventsOf, isFailing, isRunning } from './box.ts';

/** The filter of a viewer, for rows and for events alike. */
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
  /** The position of the last star, and how much of the text it has matched. */
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

export function wantsEnvironment({ environments }: Pick<Filter, 'environments'>, name: string): boolean {
  return anyMatches(environments, name);
}

/** Whether a row passes the filter, by the columns that are shown; `only` is not looked at. */
export function wantsRow(
  { services, text }: Pick<Filter, 'services' | 'text'>,
  row: MatrixRow,
  columns: readonly string[],
  aheadSlots: AheadSlots,
): boolean {
  if (!anyMatches(services, row.service)) return false;
  if (!text || includes(text, [row.service])) return true;
  const boxes = columns.flatMap((name) => boxIn(row, name, aheadSlots) ?? []);
  return boxes.some((box) => eventsOf(box).some((event) => includes(text, searchedTexts(event))));
}

/** What `only` looks for. */
export const kinds = { failed: isFailing, running: isRunning } as const satisfies Record<
  NonNullable<Filter['only']>,
  (box: Box) => boolean
>;

/** Whether an event passes the filter. */
export function wantsEvent(filter: Filter, event: DeploymentEvent): boolean {
  if (!anyMatches(filter.services, event.service) || !anyMatches(filter.environments, event.environment)) return false;
  if (filter.only === 'failed' && event.status !== 'failure') return false;
  if (filter.only === 'running' && event.status !== 'in-progress') return false;
  return (
    !filter.text ||
    includes(filter.text, [event.service, event.environment, event.deployment_id, ...searchedTexts(event)])
  );
}

function searchedTexts({ version, sha, ref, run_number, actor }: DeploymentEvent): readonly (string | undefined)[] {
  return [version, sha, ref, run_number, actor];
}

function includes(text: string, texts: readonly (string | undefined)[]): boolean {
  const wanted = text.toLowerCase();
  return texts.some((each) => each?.toLowerCase().includes(wanted));
}
