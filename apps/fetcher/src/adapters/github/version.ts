import { isVariableName, ruleNames } from '../../domain/variables.ts';

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
