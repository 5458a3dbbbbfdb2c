import { readFileSync } from 'node:fs';
import { readSettings } from '@shiplog/server';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Adapter, Context } from '../src/adapter.ts';
import { adapters } from '../src/adapters/index.ts';
import type { Json, SourceDefaults } from '../src/change.ts';
import { parseConfig } from '../src/config/config-file.ts';
import { settingsOf, valuesOf } from '../src/config/source-config.ts';
import { compileMapping } from '../src/domain/mapping.ts';
import { changeOf } from './support/change.ts';

const page = new URL('../../../docs/fetcher.md', import.meta.url);

/** A section of docs/fetcher.md with its configuration file and the rows of its table. */
interface Section {
  readonly heading: string;
  readonly file: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The sections with a configuration file; each section has at most one. */
function sections(): Section[] {
  const [, examples = ''] = readFileSync(page, 'utf8').split('\n## Mapping examples\n');
  const [, ...parts] = (examples.split('\n## ')[0] ?? '').split('\n### ');
  return parts.flatMap((part) => {
    const [heading = ''] = part.split('\n');
    const files = [...part.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, file = '']) => file);
    const [file] = files;
    if (file === undefined) return [];
    expect(files, heading).toHaveLength(1);
    const [header = [], , ...rows] = [...part.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
      row.split('|').map((cell) => cell.trim()),
    );
    return [{ heading, file, header, rows }];
  });
}

/** The description of a deployment in a cell of the first column. */
interface Written {
  readonly adapter?: string;
  readonly repo: string;
  readonly environment: string;
  readonly ref?: string;
  readonly workflow?: string;
  readonly job?: string;
  readonly task?: string;
  readonly transient?: boolean;
  readonly payload?: Json;
  readonly artifacts?: Readonly<Record<string, string>>;
}

const sha = '4f2a9c1d80';

/** The change for a deployment, with the variables that its adapter sets. */
function changeWritten({ repo, payload, adapter = 'github-actions', transient = false, ...written }: Written) {
  const slash = repo.lastIndexOf('/');
  const { environment, workflow = '', job = '', ref = 'main' } = written;
  const isGithub = adapter === 'github-actions';
  const tag = isGithub && ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : '';
  const vars = {
    ...{
      adapter,
      repo,
      owner: repo.slice(0, slash),
      name: repo.slice(slash + 1),
      environment,
      workflow,
      job,
      ref,
      tag,
    },
    ...{ sha, sha7: sha.slice(0, 7), transient: transient ? 'true' : '', version: isGithub ? '' : sha.slice(0, 8) },
    task: written.task ?? (isGithub ? 'deploy' : ''),
  };
  return changeOf({ vars, ...(payload !== undefined && { payload }) });
}

/** The default mapping of an adapter if no rule applies, with its default settings. */
function defaultsOf(adapter: Adapter): SourceDefaults {
  const all = Object.fromEntries(settingsOf(adapter).map((setting) => [setting.variable, setting]));
  const context: Partial<Context> = {
    ...{ values: valuesOf(adapter, readSettings(all, {})), places: [], token: undefined },
    times: { watchMaxAgeMs: 0, backfillMaxAgeMs: 0, discoveryMs: 0, backfillDepth: 0 },
    http: () => ({}) as ReturnType<Context['http']>,
  };
  return adapter.open(context as never).defaults;
}

/** The cells that describe the result for a deployment. */
function cellsOf(file: string, cell: string): string[] {
  const written: Written = parse(cell.replace(/^`|`$/g, ''), { schema: 'core' });
  const change = changeWritten(written);
  const adapter = adapters.find(({ kind }) => kind === change.vars.adapter);
  if (!adapter) throw new Error(`no adapter ${change.vars.adapter}`);
  const mapping = compileMapping(parseConfig(file, 'fetcher.yaml', adapters), defaultsOf(adapter));
  const asked = mapping.artifactsOf(change).map((name) => [name, written.artifacts?.[name] ?? ''] as const);
  const mapped = mapping.map(change, new Map(asked));
  if (mapped.kind !== 'events') return [mapped.kind, '', ''];
  const column = (name: 'service' | 'environment' | 'version') =>
    [...new Set(mapped.events.map((event) => `\`${event[name]}\``))].join(', ');
  return [column('service'), column('environment'), column('version')];
}

const idBeginnings: Readonly<Record<string, string>> = { 'github-actions': 'gh-deploy-', gitlab: 'gl-deploy-' };

/** The rows of the table of sources. */
function sourceRows(file: string): string[][] {
  return (parseConfig(file, 'fetcher.yaml', adapters).sources ?? []).map((entry) => {
    const tool = adapters.find(({ kind }) => kind === entry.adapter)?.tool;
    const server = entry.baseUrl ?? tool?.baseUrl.fallback;
    const token = entry.tokenEnv ?? tool?.token.variable;
    const id = `${entry.idPrefix}${idBeginnings[entry.adapter]}7`;
    return [entry.id, server, token, id].map((text) => `\`${text}\``);
  });
}

const deploymentHeader = ['Deployment', 'Service', 'Environment', 'Version'];

describe('the mapping examples of docs/fetcher.md', () => {
  const all = sections();

  test('include the common cases', () => {
    expect(all.length).toBeGreaterThanOrEqual(9);
    expect(all.filter(({ rows }) => rows.length === 0)).toEqual([]);
  });

  const ofDeployments = all.filter(({ header }) => header[0] === 'Deployment');
  const rows = ofDeployments.flatMap(({ heading, file, rows }) => rows.map((row) => ({ heading, file, row })));

  test.each(rows)('$heading: $row.0', ({ file, row: [cell = '', ...told] }) => {
    expect(told).toEqual(cellsOf(file, cell));
  });

  test('list the sources of a file in every other table', () => {
    const others = all.filter((section) => !ofDeployments.includes(section));
    expect(ofDeployments.every(({ header }) => header.join() === deploymentHeader.join())).toBe(true);
    expect(others.map(({ header }) => header[0])).toEqual(['Source']);
    for (const { file, rows: told } of others) expect(told).toEqual(sourceRows(file));
  });
});
