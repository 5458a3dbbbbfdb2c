import { type ConfigNode, parseYamlDocuments, textThat } from '@shiplog/component';
import { type CatalogPreset, patterns } from '@shiplog/contract';
import { backstageEntry } from './backstage.ts';
import { Catalog, type CatalogEntry } from './catalog.ts';

/**
 * The catalog that the text of a file holds, in YAML or JSON: one document of our own form, or entities of Backstage (questions.md 11.1).
 * @throws SettingsError with a sentence for each mistake, each with its line.
 */
export function parseCatalog(text: string, path: string): Catalog {
  const { entries, presets } = parseYamlDocuments(text, path, (roots) =>
    roots.some(isEntity) ? entitiesOf(roots) : ownForm(roots),
  );
  return new Catalog(entries, presets);
}

interface Content {
  readonly entries: readonly CatalogEntry[];
  readonly presets: readonly CatalogPreset[];
}

function isEntity(root: ConfigNode): boolean {
  return root.isNames && root.entries().some(([name]) => name === 'kind' || name === 'apiVersion');
}

function entitiesOf(roots: readonly ConfigNode[]): Content {
  return { entries: roots.flatMap((root) => backstageEntry(root) ?? []), presets: [] };
}

function ownForm([root, ...more]: readonly [ConfigNode, ...ConfigNode[]]): Content {
  for (const other of more) other.refuse('is a second document; only entities of Backstage come in several');
  const members = root.members(['services', 'presets']);
  return {
    entries: (members?.services?.items() ?? []).flatMap((node) => entryOf(node) ?? []),
    presets: (members?.presets?.items() ?? []).flatMap((node) => presetOf(node) ?? []),
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
  // No filter at all is a query, too.
  const query = members.query?.value === '' ? '' : known(members.query);
  return name === undefined ? undefined : { name, view: known(members.view), query };
}

/** A text that may be left out, or left empty. */
function known(node: ConfigNode | undefined): string | null {
  return node === undefined || node.isEmpty ? null : (node.text() ?? null);
}

function textsOf(node: ConfigNode | undefined): string[] {
  return node === undefined || node.isEmpty ? [] : node.items().flatMap((item) => item.text() ?? []);
}
