import { type ConfigNode, textThat } from '@shiplog/component';
import { limits, patterns } from '@shiplog/contract';
import { Zone } from '../domain/calendar/zone.ts';

/** Where a calendar is read; a URL has the scheme http or https and may be secret. */
export type CalendarPlace = { readonly url: URL } | { readonly file: string };

/** A calendar whose events become freezes (holds.md 3). */
export interface CalendarEntry {
  readonly name: string;
  readonly place: CalendarPlace;
  /** Globs. */
  readonly services: readonly string[];
  readonly environments: readonly string[];
  /** The zone of a calendar that doesn't name its own; UTC if absent. */
  readonly zone: string | undefined;
}

/** The `source` of a calendar's holds (holds.md 6.13). */
export function holdSourceOf({ name }: Pick<CalendarEntry, 'name'>): string {
  return `calendar-${name}`;
}

const namePattern = /^[a-z0-9-]{1,55}$/;

export function readCalendars(node: ConfigNode): CalendarEntry[] {
  const items = node.items();
  if (node.isList && items.length === 0) node.refuse('is empty; list a calendar or remove it');
  const names = new Set<string>();
  return items.flatMap((item) => {
    const members = item.members(['name', 'url', 'file', 'kind', 'services', 'environments', 'zone']);
    if (!members) return [];
    for (const key of ['name', 'services', 'environments'] as const) if (!members[key]) item.refuse(`needs ${key}`);
    const name = textThat(
      members.name,
      (text) => namePattern.test(text),
      'must be 1 to 55 characters long and contain only a-z, 0-9 and -',
    );
    if (name !== undefined && names.has(name)) members.name?.refuse('is the name of another calendar');
    names.add(name ?? '');
    textThat(members.kind, (text) => text === 'freeze', 'must be freeze');
    const place = readPlace(item, members.url, members.file);
    const services = readGlobs(members.services);
    const environments = readGlobs(members.environments);
    const zone = textThat(
      members.zone,
      (text) => Zone.named(text) !== undefined,
      'must be a time zone such as Europe/Berlin',
    );
    return name === undefined || !place ? [] : [{ name, place, services, environments, zone }];
  });
}

function readPlace(
  item: ConfigNode,
  url: ConfigNode | undefined,
  file: ConfigNode | undefined,
): CalendarPlace | undefined {
  if (!url === !file) {
    item.refuse(url ? 'has url and file; use one of them' : 'needs url or file');
    return undefined;
  }
  if (file) {
    const path = file.text();
    return path === undefined ? undefined : { file: path };
  }
  const address = textThat(
    url,
    (text) => addressOf(text) !== undefined,
    'must begin with https:// or http://, without user and password; write https:// for webcal://',
  );
  const parsed = address === undefined ? undefined : addressOf(address);
  return parsed && { url: parsed };
}

function addressOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url;
}

const globPattern = new RegExp(patterns.storableGlob, 'u');

function readGlobs(node: ConfigNode | undefined): string[] {
  if (!node) return [];
  const nodes = node.isList ? node.items() : [node];
  if (nodes.length === 0 || nodes.length > limits.globs) node.refuse(`must have 1 to ${limits.globs} globs`);
  return nodes.flatMap(
    (one) =>
      textThat(
        one,
        (text) => [...text].length <= limits.globLength && globPattern.test(text),
        `must be a glob of at most ${limits.globLength} characters that does not end in \\`,
      ) ?? [],
  );
}
