import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { compileGlob } from '@shiplog/text';
import { boxIn, eventsOf } from './box.ts';
import type { BoardContext } from './context.ts';
import { isMine, type Ownership, teamOf } from './ownership.ts';

/** The viewer's filter, for rows and events. */
export interface Filter {
  /** Globs (`*`, `?`); empty = every service. */
  readonly services: readonly string[];
  readonly environments: readonly string[];
  /** Team names of the catalog; empty = every team. */
  readonly teams: readonly string[];
  /** Only services that the viewer has marked, and services of marked teams. */
  readonly mine: boolean;
  /** Text to find in names, versions and actors; `undefined` = any. */
  readonly text: string | undefined;
  readonly only: 'failed' | 'running' | 'behind' | undefined;
}

/** Whether a glob matches a name, by default ignoring case. */
export function globMatches(glob: string, name: string, isCased = false): boolean {
  return isCased ? compileGlob(glob)(name) : compileGlob(glob.toLowerCase())(name.toLowerCase());
}

function anyMatches(globs: readonly string[], name: string): boolean {
  return globs.length === 0 || globs.some((glob) => globMatches(glob, name));
}

export function wantsEnvironment({ environments }: Pick<Filter, 'environments'>, name: string): boolean {
  return anyMatches(environments, name);
}

export function wantsService({ services, teams, mine }: ServiceFilter, service: string, ownership: Ownership): boolean {
  if (!anyMatches(services, service) || (mine && !isMine(ownership, service))) return false;
  return teams.length === 0 || teams.includes(teamOf(ownership, service) ?? '');
}

type ServiceFilter = Pick<Filter, 'services' | 'teams' | 'mine'>;

/** Whether a row matches. Searches only the visible columns and ignores `only`. */
export function wantsRow(
  filter: ServiceFilter & Pick<Filter, 'text'>,
  row: MatrixRow,
  columns: readonly string[],
  { futureRows, ownership }: Pick<BoardContext, 'futureRows' | 'ownership'>,
): boolean {
  const { text } = filter;
  if (!wantsService(filter, row.service, ownership)) return false;
  if (!text || includes(text, [row.service])) return true;
  const boxes = columns.flatMap((name) => boxIn(row, name, futureRows) ?? []);
  return boxes.some((box) => eventsOf(box).some((event) => includes(text, searchedTexts(event))));
}

/** Whether an event matches. Ignores `only: 'behind'`, which applies to slots rather than events. */
export function wantsEvent(filter: Filter, event: DeploymentEvent, ownership: Ownership): boolean {
  if (!wantsService(filter, event.service, ownership) || !wantsEnvironment(filter, event.environment)) return false;
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

/** Whether one of the texts contains the searched one, ignoring case. */
export function includes(text: string, texts: readonly (string | null | undefined)[]): boolean {
  const searched = text.toLowerCase();
  return texts.some((each) => each?.toLowerCase().includes(searched));
}
