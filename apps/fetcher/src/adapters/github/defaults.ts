import { compilePatterns } from '@shiplog/component';
import type { Change, SourceDefaults } from '../../change.ts';
import { isVariableName, ruleNames } from '../../domain/variables.ts';
import { listOf } from '../../settings.ts';

export interface DefaultSettings {
  /** Comma-separated `key=service`; a key is `owner/repo` or the name of a workflow. */
  readonly serviceMap: string;
  readonly serviceFrom: 'repo' | 'workflow';
  readonly versionSource: string;
}

/** The mapping without a rule: the service map by workflow, then by repository, then `GITHUB_SERVICE_FROM`. */
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

/** Parses `key=service`; `undefined` if one of them is missing. */
export function serviceOf(item: string): (readonly [key: string, service: string])[] {
  const [, key = '', service = ''] = /^([^=]*)=(.*)$/.exec(item) ?? [];
  return key.trim() === '' || service.trim() === '' ? [] : [[key.trim().toLowerCase(), service.trim()]];
}

/** Whether `owner/repo/workflow` matches one of the globs; false outside Actions. */
export function exclusionOf(workflowExclude: string): (change: Change) => boolean {
  const globs = listOf(workflowExclude);
  if (globs.length === 0) return () => false;
  const patterns = compilePatterns(globs);
  return ({ vars: { repo = '', workflow = '' } }) =>
    workflow !== '' && patterns.match(`${repo}/${workflow}`) !== undefined;
}

export function isGlob(text: string): boolean {
  try {
    compilePatterns([text]);
    return true;
  } catch {
    return false;
  }
}

/**
 * The template for `GITHUB_VERSION_SOURCE` (fetcher §9.2): `attribute:sha` is cut to 7 characters. `undefined` for an
 * invalid value.
 */
export function versionTemplate(source: string): string | undefined {
  const [, kind, name = ''] = /^(attribute|payload|artifact):([^{}|':]+)$/.exec(source) ?? [];
  if (name !== name.trim()) return undefined;
  if (kind === 'attribute') return isVariableName(name) ? `{${name === 'sha' ? 'sha7' : name}}` : undefined;
  const named = kind === 'payload' ? `payload.${name}` : `artifact:${name}`;
  return kind !== undefined && ruleNames(new Set(), true).isName(named) ? `{${named}}` : undefined;
}
