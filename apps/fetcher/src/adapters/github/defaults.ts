import { compilePatterns } from '@shiplog/component';
import type { Change, SourceDefaults } from '../../change.ts';
import { isVariableName, ruleNames } from '../../domain/variables.ts';
import { listOf } from '../../settings.ts';

export interface DefaultSettings {
  /** `key=service` with commas between; a key is `owner/repo` or the name of a workflow. */
  readonly serviceMap: string;
  readonly serviceFrom: 'repo' | 'workflow';
  /** `attribute:sha` */
  readonly versionSource: string;
}

/** What becomes of a change that no rule decides: the map by workflow, then by repository, then `GITHUB_SERVICE_FROM`. */
export function defaultsOf({ serviceMap, serviceFrom, versionSource }: DefaultSettings): SourceDefaults {
  const services = new Map(listOf(serviceMap).flatMap((item) => serviceOf(item)));
  return {
    service: ({ workflow = '', repo = '', name = '' }) => {
      const mapped = services.get(workflow.toLowerCase()) ?? services.get(repo.toLowerCase());
      return mapped ?? ((serviceFrom === 'workflow' && workflow) || name);
    },
    version: versionTemplate(versionSource) ?? '',
  };
}

/** Key and service of `key=service`, nothing where one of them is missing. */
export function serviceOf(item: string): (readonly [key: string, service: string])[] {
  const [, key = '', service = ''] = /^([^=]*)=(.*)$/.exec(item) ?? [];
  return key.trim() === '' || service.trim() === '' ? [] : [[key.trim().toLowerCase(), service.trim()]];
}

/** Whether `owner/repo/workflow` matches one of the globs; what is not of Actions matches none. */
export function exclusionOf(workflowExclude: string): (change: Change) => boolean {
  const globs = listOf(workflowExclude);
  if (globs.length === 0) return () => false;
  const patterns = compilePatterns(globs);
  return ({ vars: { repo = '', workflow = '' } }) =>
    workflow !== '' && patterns.match(`${repo}/${workflow}`) !== undefined;
}

/** Whether a text is such a glob. */
export function isGlob(text: string): boolean {
  try {
    compilePatterns([text]);
    return true;
  } catch {
    return false;
  }
}

/**
 * The template of `GITHUB_VERSION_SOURCE` (fetcher §9.2): `attribute:sha` is cut to 7 signs, the others are as they are.
 * `undefined` for what is none.
 */
export function versionTemplate(source: string): string | undefined {
  const [, kind, name = ''] = /^(attribute|payload|artifact):([^{}|':]+)$/.exec(source) ?? [];
  if (name !== name.trim()) return undefined;
  if (kind === 'attribute') return isVariableName(name) ? `{${name === 'sha' ? 'sha7' : name}}` : undefined;
  const named = kind === 'payload' ? `payload.${name}` : `artifact:${name}`;
  return kind !== undefined && ruleNames(new Set(), true).isName(named) ? `{${named}}` : undefined;
}
