import type { DeploymentEvent, DeploymentEventPage, MatrixRow } from '@shiplog/contract';
import { byTime, newestFirst } from '../board/board.ts';
import { eventsOfRow } from '../board/box.ts';
import type { Reason } from './graph.ts';

/** The known deployments of one service and their parents. */
export interface History {
  readonly service: string;
  /** By id, so that duplicates count once. */
  readonly events: ReadonlyMap<string, DeploymentEvent>;
  /** The oldest row on the loaded pages. No row is missing between it and the newest row. */
  readonly oldest: DeploymentEvent | undefined;
  /** The cursor of the next page; `null` on the last page. */
  readonly cursor: string | null;
  readonly pages: number;
  /** The ids of the requested parents, each with the reason why it is absent. */
  readonly asked: ReadonlyMap<string, Reason>;
}

/** The maximum number of parents loaded per page: a hostile log can name any number. */
export const parentsMax = 50;
const parentsAtOnce = 4;

export function historyOf(service: string, page: DeploymentEventPage): History {
  const empty = { service, events: new Map(), oldest: undefined, cursor: null, pages: 0, asked: new Map() };
  return withPage(empty, page);
}

export function withPage(history: History, { items, next_cursor }: DeploymentEventPage): History {
  const grown = withEvents(history, items);
  return { ...grown, oldest: items.at(-1) ?? history.oldest, cursor: next_cursor, pages: history.pages + 1 };
}

export function withEvents(history: History, events: readonly DeploymentEvent[]): History {
  if (events.every(({ id }) => history.events.has(id))) return history;
  return { ...history, events: new Map([...history.events, ...events.map((event) => [event.id, event] as const)]) };
}

/**
 * The history after the first page was requested again. If the log was cleared, or the page doesn't reach
 * back to the known rows, the history starts over.
 */
export function renewed(history: History, page: DeploymentEventPage): History {
  const ids = new Set(page.items.map(({ id }) => id));
  const end = page.next_cursor === null ? undefined : page.items.at(-1);
  const isGone = (event: DeploymentEvent) => !ids.has(event.id) && (end === undefined || byTime(event, end) > 0);
  const own = [...history.events.values()].filter(({ service }) => service === history.service);
  const isBeyond = end !== undefined && !page.items.some(({ id }) => history.events.has(id));
  return own.some(isGone) || isBeyond ? historyOf(history.service, page) : withEvents(history, page.items);
}

/** Whether the board has events that the history lacks. This happens after a lost connection or a cleared log. */
export function lacks({ events, oldest, cursor }: History, row: MatrixRow | undefined): boolean {
  if (!row) return events.size > 0;
  const isWithin = (event: DeploymentEvent) => cursor === null || !oldest || byTime(event, oldest) > 0;
  return eventsOfRow(row).some((event) => !events.has(event.id) && isWithin(event));
}

/** Whether an event belongs to the history: to the service or to a requested parent. */
export function concerns({ service, asked }: History, event: DeploymentEvent): boolean {
  return event.service === service || asked.has(event.deployment_id);
}

/** The ids of the parents to request, without duplicates. The parents of the newest deployments come first. */
export function parentsToAsk({ events, asked, pages }: History): string[] {
  const room = Math.max(0, parentsMax * pages - asked.size);
  const looking = [...asked.values()].filter((reason) => reason === 'looking').length;
  const here = new Set([...events.values()].map(({ deployment_id }) => deployment_id));
  const newest = [...events.values()].sort(newestFirst);
  const named = new Set(newest.flatMap(({ parent_deployments }) => parent_deployments ?? []));
  const wanted = [...named].filter((id) => !here.has(id) && !asked.has(id));
  return wanted.slice(0, Math.min(room, Math.max(0, parentsAtOnce - looking)));
}

export function withAsked(history: History, ids: readonly string[], reason: Reason): History {
  return ids.length === 0
    ? history
    : { ...history, asked: new Map([...history.asked, ...ids.map((id) => [id, reason] as const)]) };
}

export function reasonFor({ asked, pages }: History, id: string): Reason {
  return asked.get(id) ?? (asked.size >= parentsMax * pages ? 'left-out' : 'looking');
}
