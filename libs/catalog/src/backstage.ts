import type { ConfigNode } from '@shiplog/component/yaml-file';
import { literalGlob } from '@shiplog/text';
import type { CatalogEntry } from './catalog.ts';

/** The hosts of slug annotations, in order of preference. */
const hosts = { 'github.com/project-slug': 'https://github.com/', 'gitlab.com/project-slug': 'https://gitlab.com/' };

/**
 * The catalog entry for a Backstage entity (questions.md 11.1 and 12.11); `undefined` if it is not a component. Other
 * members are ignored.
 */
export function backstageEntry(entity: ConfigNode): CatalogEntry | undefined {
  if (memberOf(entity, 'kind')?.value !== 'Component') {
    if (!memberOf(entity, 'kind')?.text()) entity.refuse('needs a kind, as in a Backstage entity');
    return undefined;
  }
  const metadata = memberOf(entity, 'metadata');
  const name = memberOf(metadata, 'name')?.text();
  if (!memberOf(metadata, 'name')) (metadata ?? entity).refuse('needs a metadata.name');
  const owner = memberOf(memberOf(entity, 'spec'), 'owner')?.text();
  const links = itemsOf(memberOf(metadata, 'links')).map((link) => ({
    type: memberOf(link, 'type')?.text(),
    url: memberOf(link, 'url'),
  }));
  const runbook = links.find(({ type }) => type === 'runbook')?.url?.text() ?? null;
  const tags = itemsOf(memberOf(metadata, 'tags')).flatMap((tag) => tag.text() ?? []);
  const repository = repositoryOf(memberOf(metadata, 'annotations'));
  if (name === undefined) return undefined;
  return { name: literalGlob(name), team: owner ? teamOf(owner) : null, owner: null, repository, runbook, tags };
}

function repositoryOf(annotations: ConfigNode | undefined): string | null {
  const found = Object.entries(hosts).map(([annotation, host]) => {
    const slug = memberOf(annotations, annotation)?.text();
    return slug === undefined ? undefined : host + slug;
  });
  return found.find((url) => url !== undefined) ?? null;
}

/** `group:default/payments` is the team `payments`. */
function teamOf(owner: string): string {
  return owner.replace(/^(group:)?([^/:]*\/)?/, '');
}

/** The member; `undefined` if it is absent or empty. */
function memberOf(node: ConfigNode | undefined, name: string): ConfigNode | undefined {
  const member = node?.member(name);
  return member?.isEmpty ? undefined : member;
}

function itemsOf(node: ConfigNode | undefined): ConfigNode[] {
  return node?.items() ?? [];
}
