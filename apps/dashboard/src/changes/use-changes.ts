import type { Change, ChangesHistogram, ChangesPage, DeploymentEvent, NetChange } from '@shiplog/contract';
import { limits } from '@shiplog/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { wantsEvent } from '../board/filter.ts';
import { pagesOf } from '../live/request.ts';
import { deploymentKey } from '../log/log-query.ts';
import { spanOf } from '../range/range.ts';
import { type Answer, failureText, useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { type ChangeList, changesIn, updatedInPlace, withFirstPage, withNextPage } from './change-list.ts';
import { type Question, rangeQuery } from './question.ts';
import type { Strip } from './strip.ts';

const pageRows = 100;
/** Requests for the whole range follow a burst of events less closely than the list. */
const wholeSettleMs = 2000;

export interface LoadedChanges {
  /** The list of this question; `undefined` before its first page. */
  readonly list: ChangeList | undefined;
  /** The number of new changes that wait until the viewer is at the top of the list. */
  readonly waiting: number;
  readonly isAsking: boolean;
  /** Why the first or the next page could not be loaded. */
  readonly fault: { readonly what: string; readonly retry: () => void } | undefined;
  readonly more: () => Promise<void>;
  readonly release: () => void;
}

interface State {
  readonly of: string;
  readonly list?: ChangeList | undefined;
  readonly held?: ChangesPage | undefined;
  readonly isAsking?: boolean;
  readonly fault?: string | undefined;
}

/** The changes of a question. `isHeld`: new changes wait, so that the rows don't move while they are read. */
export function useChangeList(question: Question, isHeld: boolean, rows = pageRows): LoadedChanges {
  const { client, now } = useApp().connection;
  const { key, scope, state: status } = question;
  const [state, setState] = useState<State>({ of: '' });
  const held = useRef(isHeld);
  held.current = isHeld;
  const page = async (from: { readonly cursor: string } | undefined, signal?: AbortSignal) => {
    // A cursor includes its range.
    const query = { ...(from ?? rangeQuery(question, now.present.value)), ...scope, limit: rows };
    const body = { ...query, ...(status !== undefined && { state: [status] }) };
    return (await client.listChanges({ query: body, ...(signal && { signal }) })).body;
  };
  const touchedBy = useTouched(question, state.of === key ? state.list?.items : undefined);
  const answer = useAnswer(async (signal) => ({ of: key, first: await page(undefined, signal) }), [key, rows], {
    touchedBy,
  });
  useEffect(() => {
    if (answer.kind !== 'here') return;
    const { of, first } = answer.value;
    setState((before) => {
      const list = before.of === of ? before.list : undefined;
      if (list && held.current) return { ...before, list: updatedInPlace(list, first), held: first };
      return { of, list: withFirstPage(list, first) };
    });
  }, [answer]);
  const release = () =>
    setState((before) =>
      before.held ? { ...before, list: withFirstPage(before.list, before.held), held: undefined } : before,
    );
  useEffect(() => {
    if (!isHeld) release();
  }, [isHeld]);
  const current = state.of === key ? state : undefined;
  const more = async () => {
    const cursor = current?.list?.next;
    if (cursor === undefined || cursor === null || current?.isAsking) return;
    const still = (change: (before: State & { readonly list: ChangeList }) => State) =>
      setState((before) => {
        // The list may have started over meanwhile.
        const isSame = before.of === key && before.list?.next === cursor;
        return isSame && before.list ? change({ ...before, list: before.list }) : { ...before, isAsking: false };
      });
    still((before) => ({ ...before, isAsking: true, fault: undefined }));
    await page({ cursor }).then(
      (next) => still((before) => ({ ...before, list: withNextPage(before.list, next), isAsking: false })),
      (error) => still((before) => ({ ...before, isAsking: false, fault: failureText(error) })),
    );
  };
  const known = new Set(current?.list?.items.map(deploymentKey));
  const arrived = current?.held ? changesIn(current.held).filter((item) => !known.has(deploymentKey(item))) : [];
  const failed = answer.kind === 'failed' && !current?.list ? answer : undefined;
  return {
    list: current?.list,
    waiting: arrived.length,
    isAsking: current?.isAsking ?? false,
    fault: failed ?? (current?.fault === undefined ? undefined : { what: current.fault, retry: () => void more() }),
    more,
    release,
  };
}

/** Whether an event may change the answer: it is in the scope and the range, or in a loaded change. */
function useTouched({ range, filter }: Question, items: readonly Change[] | undefined) {
  const { connection, ownership } = useApp();
  const known = useRef<ReadonlySet<string>>(new Set());
  known.current = new Set(items?.map(deploymentKey));
  return (event: DeploymentEvent) => {
    if (!wantsEvent(filter, event, ownership.value)) return false;
    const { fromMs, toMs, isLive } = spanOf(range, connection.now.present.value);
    const ms = Date.parse(event.happened_at);
    return isLive || (ms >= fromMs && ms < toMs) || known.current.has(deploymentKey(event));
  };
}

/** How far ahead of the clock a live page looks. The service accepts a range of this length. */
const aheadMs = 366 * 86_400_000;

/**
 * The changes dated ahead: those that began within the range, and in a live range those that are dated after now.
 * `undefined` until they are known.
 */
export function useAhead(question: Question, inRange: readonly Change[] = []): readonly Change[] | undefined {
  const { client, now } = useApp().connection;
  const { key, scope, state } = question;
  const answer = useAnswer(
    async (signal) => {
      const { toMs, isLive } = spanOf(question.range, now.present.value);
      if (!isLive) return { of: key, ahead: [] };
      const query = {
        ...scope,
        ...between(toMs, toMs + aheadMs),
        limit: 1,
        ...(state !== undefined && { state: [state] }),
      };
      return { of: key, ahead: (await client.listChanges({ query, signal })).body.ahead };
    },
    [key],
    { touchedBy: ({ happened_at }) => Date.parse(happened_at) > now.present.value, settleMs: wholeSettleMs },
  );
  if (answer.kind === 'waiting') return undefined;
  const later = answer.kind === 'here' && answer.value.of === key ? answer.value.ahead : [];
  const known = new Set(later.map(deploymentKey));
  return [...later, ...inRange.filter((item) => !known.has(deploymentKey(item)))];
}

function between(fromMs: number, toMs: number): { readonly from: string; readonly to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

const netPagesMax = 4;

export interface Net {
  readonly of: string;
  readonly items: readonly NetChange[];
  /** Whether there are places that are not in the items. */
  readonly isCut: boolean;
}

/** What the range changed in each place, for at most the first 2,000 places. */
export function useNet(question: Question): Answer<Net> {
  const { client, now } = useApp().connection;
  const { key, scope } = question;
  return useAnswer(
    async (signal) => {
      const query = { ...rangeQuery(question, now.present.value), net: 'true' as const, limit: limits.pageSizeMax };
      const items: NetChange[] = [];
      let isCut = false;
      const pages = pagesOf(
        ({ cursor }) =>
          client.listChanges({
            query: cursor === undefined ? query : { ...scope, net: 'true', limit: limits.pageSizeMax, cursor },
            signal,
          }),
        netPagesMax,
      );
      for await (const { items: some, next_cursor } of pages) {
        items.push(...some.filter((item) => 'changed' in item));
        isCut = next_cursor !== null;
      }
      return { of: key, items, isCut };
    },
    [key],
    { touchedBy: useTouched(question, undefined), settleMs: wholeSettleMs },
  );
}

export function useHistogram(question: Question, { fromMs, toMs, buckets }: Strip): Answer<ChangesHistogram> {
  const { connection, ownership } = useApp();
  const { scope, filter } = question;
  const query = { ...scope, ...between(fromMs, toMs), buckets };
  return useAnswer(async (signal) => (await connection.client.getChangesHistogram({ query, signal })).body, [query], {
    touchedBy: (event) => {
      const ms = Date.parse(event.happened_at);
      return ms >= fromMs && ms < toMs && wantsEvent(filter, event, ownership.value);
    },
    settleMs: wholeSettleMs,
  });
}
