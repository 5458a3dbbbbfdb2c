import { compilePatterns } from '@shiplog/component';
import { ListCut, PlaceRefused } from '../../tool/refusals.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type Project, pickProject, pickProjects } from './answers.ts';

/** `group/project`, or a group with wildcards: `group/*`, `group/**`, `group/app-*`. */
const placePattern = /^[^\s,/*?{}]+(\/[^\s,/*?{}]+)*\/[^\s,/{}]+$/;

export function isPlace(item: string): boolean {
  return item.startsWith('!') ? item.length > 1 && !/[\s{}]/.test(item) : placePattern.test(item);
}

export interface Found {
  readonly projects: readonly Project[];
  readonly refused: readonly string[];
  readonly warnings: readonly string[];
}

export async function findProjects(http: ToolHttp, places: readonly string[], signal: AbortSignal): Promise<Found> {
  const isWanted = compilePatterns(places);
  const projects = new Map<number, Project>();
  const refused: string[] = [];
  const warnings: string[] = [];
  for (const place of places) {
    if (place.startsWith('!')) continue;
    try {
      const own = compilePatterns([place]);
      let found = 0;
      for await (const { id, path, isArchived } of listed(http, place, signal)) {
        // A renamed project still answers to its old path.
        const name = isGroup(place) ? path : place;
        if (isArchived || !isWanted.match(name)) continue;
        projects.set(id, { id, path });
        found += own.match(name) ? 1 : 0;
      }
      if (found === 0) warnings.push(warningOf(place));
    } catch (error) {
      if (error instanceof ListCut) warnings.push(`The list of ${place} is incomplete: ${error.message}.`);
      else if (error instanceof PlaceRefused) refused.push(place);
      else throw error;
    }
  }
  return { projects: [...projects.values()], refused, warnings };
}

function warningOf(place: string): string {
  if (!isGroup(place)) return `${place} is archived; archived projects are skipped.`;
  return `${place} has no unarchived projects that the token can see.`;
}

function isGroup(place: string): boolean {
  return /[*?]/.test(place);
}

async function* listed(http: ToolHttp, place: string, signal: AbortSignal) {
  if (!isGroup(place)) {
    yield (await http.get(`/api/v4/projects/${encodeURIComponent(place)}`, signal, pickProject)).body;
    return;
  }
  const segments = place.split('/');
  const literal = segments.findIndex(isGroup);
  const group = encodeURIComponent(segments.slice(0, literal).join('/'));
  const isDeep = place.includes('**') || literal < segments.length - 1;
  const query = `include_subgroups=${isDeep}&with_shared=false&archived=false&order_by=id&sort=asc&per_page=100`;
  for await (const { body } of http.pages(`/api/v4/groups/${group}/projects?${query}`, signal, pickProjects))
    yield* body;
}
