import { type ConfigNode, parseYamlDocuments, textThat } from '@shiplog/component/yaml-file';
import { type CatalogPreset, patterns } from '@shiplog/contract';
import { backstageEntry } from './backstage.ts';
import type { CatalogEntry } from './catalog.ts';

/** The content of a catalog file, as data that can be passed between threads. */
export interface CatalogContent {
  readonly entries: readonly CatalogEntry[];
  readonly presets: readonly CatalogPreset[];
}

/** Limits the cost of lookups, because each entry may be compared with each service. */
const entriesMax = 10_000;

/**
 * Parses a catalog file in YAML or JSON. The file contains one document in our own format or Backstage entities
 * (questions.md 11.1).
 * @throws SettingsError with one sentence per error, including its line.
 */
export function parseCatalog(text: string, path: string): CatalogContent {
  return parseYamlDocuments(text, path, (roots) => (roots.some(isEntity) ? entitiesOf(roots) : ownForm(roots)));
}

function isEntity(root: ConfigNode): boolean {
  return root.isNames && root.entries().some(([name]) => name === 'kind' || name === 'apiVersion');
}

function entitiesOf(roots: readonly ConfigNode[]): CatalogContent {
  return { entries: bounded(roots).flatMap((root) => backstageEntry(root) ?? []), presets: [] };
}

/** Empty if there are too many. The error is reported at the first excess entry. */
function bounded(nodes: readonly ConfigNode[]): readonly ConfigNode[] {
  nodes[entriesMax]?.refuse(`exceeds the maximum of ${entriesMax} entries`);
  return nodes.length > entriesMax ? [] : nodes;
}

function ownForm([root, ...more]: readonly [ConfigNode, ...ConfigNode[]]): CatalogContent {
  for (const other of more) other.refuse('is a second document; only Backstage entities may span several documents');
  const members = root.members(['services', 'presets']);
  return {
    entries: bounded(members?.services?.items() ?? []).flatMap((node) => entryOf(node) ?? []),
    presets: bounded(members?.presets?.items() ?? []).flatMap((node) => presetOf(node) ?? []),
  };
}

const isGlob = new RegExp(patterns.glob, 'u');

function entryOf(node: ConfigNode): CatalogEntry | undefined {
  const members = node.members(['name', 'team', 'owner', 'repository', 'runbook', 'tags']);
  if (!members) return undefined;
  if (!members.name) node.refuse('needs a name');
  const name = textThat(members.name, (text) => isGlob.test(text), 'must not end in a bare backslash');
  const { team, owner, repository, runbook, tags } = members;
  const texts = { team: known(team), owner: known(owner), repository: known(repository), runbook: known(runbook) };
  return name === undefined ? undefined : { name, ...texts, tags: textsOf(tags) };
}

function presetOf(node: ConfigNode): CatalogPreset | undefined {
  const members = node.members(['name', 'view', 'query']);
  if (!members) return undefined;
  if (!members.name) node.refuse('needs a name');
  const name = members.name?.text();
  // An empty query is valid and means no filter.
  const query = members.query?.value === '' ? '' : known(members.query);
  return name === undefined ? undefined : { name, view: known(members.view), query };
}

/** A string that may be absent or empty. */
function known(node: ConfigNode | undefined): string | null {
  return node === undefined || node.isEmpty ? null : (node.text() ?? null);
}

function textsOf(node: ConfigNode | undefined): string[] {
  return node === undefined || node.isEmpty ? [] : node.items().flatMap((item) => item.text() ?? []);
}
