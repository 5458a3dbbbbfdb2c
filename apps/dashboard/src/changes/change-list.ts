import type { Change, ChangesPage } from '@shiplog/contract';
import { releaseName } from '@shiplog/text';
import { includes } from '../board/filter.ts';
import { deploymentKey } from '../log/log-query.ts';
import { spanText } from '../time-travel/time-words.ts';
import { csvOf } from '../ui/csv.ts';

/** The loaded changes of a question, newest first. */
export interface ChangeList {
  readonly first: ChangesPage;
  readonly items: readonly Change[];
  /** The cursor of the next page; `null` if all changes are loaded. */
  readonly next: string | null;
}

/** A longer list keeps only its first page when that changes. */
const itemsMax = 2000;

/** The page of a call without `net`. */
export function changesIn({ items }: Pick<ChangesPage, 'items'>): readonly Change[] {
  return items.filter((item) => 'deployment_id' in item);
}

/**
 * A list after its first page was read again. Loaded changes below the page stay, unless changes may be missing
 * between them and the page, or they have left the range.
 */
export function withFirstPage(before: ChangeList | undefined, first: ChangesPage): ChangeList {
  const items = changesIn(first);
  const start: ChangeList = { first, items, next: first.next_cursor };
  const last = items.at(-1);
  if (!before || first.next_cursor === null || !last || before.items.length > itemsMax) return start;
  const isKnown = before.items.some((item) => item.event_id === last.event_id);
  if (!isKnown) return start;
  const inPage = new Set(items.map(deploymentKey));
  const left = ({ ended_at }: Change) => ended_at !== null && Date.parse(ended_at) < Date.parse(first.from);
  const below = before.items.filter((item) => !inPage.has(deploymentKey(item)) && !left(item));
  return { first, items: [...items, ...below], next: below.length > 0 ? before.next : first.next_cursor };
}

/** The list while the viewer reads it: rows change in place, and rows that are new wait. */
export function updatedInPlace(before: ChangeList, first: ChangesPage): ChangeList {
  const newer = new Map(changesIn(first).map((item) => [deploymentKey(item), item]));
  return { ...before, first, items: before.items.map((item) => newer.get(deploymentKey(item)) ?? item) };
}

export function withNextPage(before: ChangeList, page: ChangesPage): ChangeList {
  const known = new Set(before.items.map(deploymentKey));
  const added = changesIn(page).filter((item) => !known.has(deploymentKey(item)));
  return { ...before, items: [...before.items, ...added], next: page.next_cursor };
}

/** The filters that the service doesn't know. */
export interface ListFilter {
  readonly text: string | undefined;
  readonly actor: string | undefined;
}

export function isFiltered({ text, actor }: ListFilter): boolean {
  return text !== undefined || actor !== undefined;
}

export function wantsChange({ text, actor }: ListFilter, change: Change): boolean {
  if (actor !== undefined && change.actor !== actor) return false;
  const { service, environment, deployment_id, version, sha, previous } = change;
  return includes(text ?? '', [service, environment, deployment_id, version, sha, previous?.version, change.actor]);
}

/** "by 3 people and ci-bot". At most two bots are named; they are recognized by the word "bot" in their names. */
export function actorWords(changes: readonly Change[]): string {
  const actors = [...new Set(changes.flatMap(({ actor }) => actor ?? []))].sort();
  const isBot = (name: string) => /(?:^|[^a-z])bots?(?:$|[^a-z])/i.test(name);
  const bots = actors.filter(isBot);
  const people = actors.length - bots.length;
  const named = bots.length > 2 ? [`${bots.length} bots`] : bots;
  const parts = [...(people > 0 ? [people === 1 ? '1 person' : `${people} people`] : []), ...named];
  const last = parts.pop();
  if (last === undefined) return '';
  return `by ${parts.length > 0 ? `${parts.join(', ')} and ` : ''}${last}`;
}

/** "45 s", "9 min", "1 h 20 min". */
export function durationWords(minutes: number): string {
  return spanText(minutes < 1 ? minutes * 60_000 : Math.round(minutes) * 60_000);
}

export function changesCsv(changes: readonly Change[]): string {
  const head = [
    'state',
    'service',
    'environment',
    'before',
    'version',
    'rollback',
    'actor',
    'minutes',
    'started',
    'ended',
  ];
  return csvOf(
    [...head, 'deployment'],
    changes.map((change) => [
      ...[change.state, change.service, change.environment],
      ...[change.previous && releaseName(change.previous), releaseName(change), change.rollback ? 'yes' : 'no'],
      ...[change.actor, change.minutes, change.started_at, change.ended_at, change.deployment_id],
    ]),
  );
}
