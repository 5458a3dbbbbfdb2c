import { type ConfigNode, compilePatterns, textThat, variableName } from '@shiplog/component';
import { patterns } from '@shiplog/contract';
import { baseUrlOf } from '@shiplog/server';
import type { Adapter } from '../adapter.ts';

/** A source in the configuration file; environment variables provide omitted members. */
export interface SourceEntry {
  readonly adapter: string;
  /** Unique; by default the adapter's kind. */
  readonly id: string;
  /** The prefix of its deployment ids; may be empty. */
  readonly idPrefix: string;
  readonly baseUrl?: string;
  readonly tokenEnv?: string;
  /** The places to poll, such as `acme/*` and `!acme/legacy-*`. */
  readonly places: readonly string[];
  readonly line: number;
}

export type AdapterNames = Pick<Adapter, 'kind' | 'places' | 'webhook'>;

export function readSources(node: ConfigNode, adapters: readonly AdapterNames[]): SourceEntry[] {
  const items = node.items();
  if (node.isList && items.length === 0) node.refuse('is empty; list a source or remove it');
  const ids = new Set<string>();
  return items.flatMap((item) => {
    const entry = readSource(item, adapters);
    if (!entry) return [];
    if (ids.has(entry.id)) item.refuse(`has the id "${entry.id}" of another source; give each source its own id`);
    ids.add(entry.id);
    return [entry];
  });
}

const ownKeys = ['adapter', 'id', 'id_prefix', 'base_url', 'token_env'];
const idPattern = new RegExp(patterns.adapter);
const prefixPattern = /^[\x21-\x7e]{1,50}$/;

function readSource(node: ConfigNode, adapters: readonly AdapterNames[]): SourceEntry | undefined {
  const placeKeys = [...new Set(adapters.map(({ places }) => places.key))];
  const members = node.members([...ownKeys, ...placeKeys]);
  if (!members) return undefined;
  const kinds = adapters.map(({ kind }) => kind).join(', ');
  if (!members.adapter) node.refuse(`needs an adapter, one of ${kinds}`);
  const kind = members.adapter?.text();
  const adapter = adapters.find((one) => one.kind === kind);
  if (kind !== undefined && !adapter) members.adapter?.refuse(`is not an adapter; use one of ${kinds}`);
  const id = textThat(members.id, (text) => idPattern.test(text), `must match ${patterns.adapter}`);
  const idPrefix = textThat(
    members.id_prefix,
    (text) => prefixPattern.test(text),
    'must have 1 to 50 visible ASCII characters',
  );
  const baseUrl = textThat(
    members.base_url,
    (text) => baseUrlOf(text) !== undefined,
    'must be a URL such as https://git.acme.com/api/v3, without user, query or fragment',
  );
  const tokenEnv = variableName(members.token_env);
  if (!adapter) return undefined;
  const { key } = adapter.places;
  for (const other of placeKeys.filter((one) => one !== key)) {
    members[other]?.refuse(`does not belong to this adapter, which has ${key}`);
  }
  return {
    adapter: adapter.kind,
    id: id ?? adapter.kind,
    idPrefix: idPrefix ?? '',
    ...(baseUrl !== undefined && { baseUrl: baseUrlOf(baseUrl) ?? '' }),
    ...(tokenEnv !== undefined && { tokenEnv }),
    places: readPlaces(node, members, adapter.places),
    line: node.line,
  };
}

function readPlaces(
  node: ConfigNode,
  members: Readonly<Partial<Record<string, ConfigNode>>>,
  { key, setting }: AdapterNames['places'],
): string[] {
  const list = members[key];
  if (!list) node.refuse(`needs ${key}, the list of places to poll`);
  const places = (list?.items() ?? []).flatMap((item) => {
    const text = item.text();
    if (text === undefined) return [];
    if (text.startsWith('!')) item.judge(() => compilePatterns(['**', text]));
    else if (text.includes(',') || setting.parse(text) === undefined)
      item.refuse(`must be an item of ${setting.takes}`);
    return [text];
  });
  if (list?.isList && places.every((text) => text.startsWith('!'))) {
    list.refuse('matches nothing; add an item without "!"');
  }
  return places;
}
