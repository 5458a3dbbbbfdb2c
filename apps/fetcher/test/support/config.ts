import type { Setting } from '@shiplog/server';
import { type ConfigFile, parseConfig } from '../../src/config/config-file.ts';
import type { AdapterNames } from '../../src/config/sources.ts';
import { listSetting } from '../../src/settings.ts';

function places(key: 'repos' | 'projects', setting: Setting<string>): AdapterNames['places'] {
  return { key, setting };
}

const repos = listSetting('GITHUB_REPOS', 'owner/repo, owner/* and *', (item) =>
  /^\*$|^[\w-]+\/(\*|[\w-]+)$/.test(item),
);
const projects = listSetting('GITLAB_PROJECTS', 'paths', (item) => item.includes('/'));

/** Two kinds of sources, as the file knows them. */
export const twoAdapters: readonly AdapterNames[] = [
  { kind: 'github-actions', places: places('repos', repos) },
  { kind: 'gitlab', places: places('projects', projects) },
];

/** The configuration that the lines of a file below `version: 1` make. */
export function configOf(...lines: readonly string[]): ConfigFile {
  return parseConfig(['version: 1', ...lines].join('\n'), 'fetcher.yaml', twoAdapters);
}

/** The sentences about a whole file. */
export function mistakesIn(text: string): string {
  try {
    parseConfig(text, 'fetcher.yaml', twoAdapters);
    return 'none';
  } catch (error) {
    return (error as Error).message.replaceAll('fetcher.yaml, ', '');
  }
}
