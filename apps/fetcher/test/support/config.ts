import type { ToolWebhook } from '../../src/adapter.ts';
import { type ConfigFile, parseConfig } from '../../src/config/config-file.ts';
import type { AdapterNames } from '../../src/config/sources.ts';
import { listSetting } from '../../src/settings.ts';

const repos = listSetting('GITHUB_REPOS', 'owner/repo, owner/* and *', (item) =>
  /^\*$|^[\w-]+\/(\*|[\w-]+)$/.test(item),
);
const projects = listSetting('GITLAB_PROJECTS', 'paths', (item) => item.includes('/'));

function webhookNamed(name: string): ToolWebhook {
  return { name, guards: () => [], placePointer: '' };
}

/** Two kinds of sources, as the configuration file names them. */
export const twoAdapters: readonly AdapterNames[] = [
  { kind: 'github-actions', places: { key: 'repos', setting: repos }, webhook: webhookNamed('github') },
  { kind: 'gitlab', places: { key: 'projects', setting: projects }, webhook: webhookNamed('gitlab') },
];

/** The configuration in a file with these lines below `version: 1`. */
export function configOf(...lines: readonly string[]): ConfigFile {
  return parseConfig(['version: 1', ...lines].join('\n'), 'fetcher.yaml', twoAdapters);
}

/** The error messages for the text of a whole file. */
export function mistakesIn(text: string): string {
  try {
    parseConfig(text, 'fetcher.yaml', twoAdapters);
    return 'none';
  } catch (error) {
    return (error as Error).message.replaceAll('fetcher.yaml, ', '');
  }
}
