import {
  type Breach,
  endpoints,
  type Hold,
  headerNames,
  holdReport,
  instantKey,
  limits,
  parseId,
  parseMoment,
} from '@shiplog/contract';
import { conditionalAnswer, conditionalJson, invalid, Problem, parsedCursor } from '@shiplog/server';
import type { Access } from '../access/access.ts';
import { listBegun } from '../db/breaches.ts';
import { appendComponentEvents } from '../db/component-events.ts';
import type { Queries, Sessions } from '../db/database.ts';
import { listEnvironments, listServices } from '../db/discovery.ts';
import {
  holdClock,
  listHolds,
  lockHold,
  makeHold,
  readHold,
  storeException,
  storeRelease,
  takeHoldLock,
} from '../db/holds.ts';
import { calendarOf } from '../domain/calendar.ts';
import { type ComponentReport, ownReport } from '../domain/component-report.ts';
import { exceptionFaults, spanFaults, utc } from '../domain/hold-faults.ts';
import { breachesOf, heldRanges, isBefore, isInScope, lastAct } from '../domain/holds.ts';
import { instantOfMicros, microsOf } from '../domain/micros.ts';
import { pageCursor, pageKey, parsePageCursor } from '../domain/page-cursor.ts';
import type { CoreApi } from './api.ts';
import { requestedScope, type ScopeSources, sentRange } from './scope.ts';

interface HoldsParts extends ScopeSources {
  readonly writes: Sessions & Queries;
  readonly access: Pick<Access, 'guard' | 'holds'>;
}

const hourMicros = 3_600_000_000n;
const dayMicros = 24n * hourMicros;

/** Freezes, locks and bad versions (holds.md). */
export function addHolds(api: CoreApi, parts: HoldsParts): void {
  addActs(api, parts);
  const { queries } = parts;

  api.serve('getHold', async ({ params, headers }) => {
    const id = parseId(params.id);
    const hold = id && (await readHold(queries, id));
    if (!hold) throw noHold();
    return conditionalJson(headers, hold);
  });

  api.serve('listHolds', async ({ query, headers }) => {
    const scope = await requestedScope(parts, query);
    const period = await requestedPeriod(queries, query);
    const holds = await listHolds(queries, { ...period, kinds: query.kind, source: query.source });
    const found = holds.filter((hold) => isInScope(hold, scope));
    const after = parsedCursor(query.cursor, parsePageCursor);
    const key = (hold: Hold) => pageKey(hold.from, hold.id);
    return conditionalJson(
      headers,
      pageAfter(found, after && ((hold) => isAfter(key(hold), after)), query.limit, (hold) => pageCursor(key(hold))),
    );
  });

  api.serve('listBreaches', async ({ query, headers }) => {
    const scope = await requestedScope(parts, query);
    const range = sentRange(query) ?? (await lastDays(queries));
    const holds = (await listHolds(queries, { ...range, isClosed: false, kinds: undefined, source: undefined })).filter(
      (hold) => isInScope(hold, scope),
    );
    const names = { services: await listServices(queries), environments: await listEnvironments(queries) };
    const ranges = heldRanges(holds, range, names);
    const begun = ranges.length === 0 ? [] : await listBegun(queries, ranges, scope);
    const breaches = breachesOf(holds, begun);
    const after = parsedCursor(query.cursor, parseBreachCursor);
    const isLeft = after === undefined ? undefined : (breach: Breach) => breachKey(breach) < after;
    return conditionalJson(headers, pageAfter(breaches, isLeft, query.limit, breachCursor));
  });

  api.serve('getHoldsCalendar', async ({ query, headers }) => {
    const scope = await requestedScope(parts, query);
    const { from } = await lastDays(queries);
    const to = '9999-12-31T00:00:00Z';
    const holds = await listHolds(queries, { from, to, isClosed: true, kinds: query.kind, source: undefined });
    const content = calendarOf(holds.filter((hold) => isInScope(hold, scope)));
    const { headers: own = {}, status } = conditionalAnswer(headers[headerNames.ifNoneMatch], {
      content: [content],
      json: '',
    });
    return status === 304
      ? { status, headers: own }
      : { status: 200, headers: own, text: { mediaType: 'text/calendar', content } };
  });
}

/** The calls that make, release and except holds. */
function addActs(api: CoreApi, { queries, writes, access }: HoldsParts): void {
  api.serve('makeHold', async ({ body, request }) => {
    const now = await holdClock(queries);
    const faults = spanFaults(body, now);
    if (faults.length > 0) throw invalid(faults);
    const sender = access.guard.senderOf(request);
    access.holds.require(sender, body);
    const by = access.holds.byOf(sender, body.by) ?? undefined;
    const hold = await makeHold(writes, { ...body, from: utc(body.from), until: utc(body.until), by }, reportOf);
    return made(hold);
  });

  const act = (
    idText: string,
    judge: (hold: Hold) => void,
    store: (queries: Queries, hold: Hold) => Promise<void>,
  ): Promise<Hold> => {
    const id = parseId(idText);
    if (id === undefined) throw noHold();
    return writes
      .session((session) =>
        session.transaction(async (transaction) => {
          await takeHoldLock(transaction);
          const state = await lockHold(transaction, id);
          if (!state) return noHold();
          const refusal = refusalOf(() => judge(state.hold));
          if (refusal) return refusal;
          if (state.isOver) return new Problem('hold-over', { detail: 'The hold has been released or is over.' });
          const late = await refusalOfPromise(store(transaction, state.hold));
          if (late) return late;
          const hold = (await readHold(transaction, id)) as Hold;
          await appendComponentEvents(transaction, [reportOf(hold)]);
          return hold;
        }),
      )
      .then((result) => {
        if (result instanceof Problem) throw result;
        return result;
      });
  };

  api.serve('releaseHold', async ({ params, body, request }) => {
    const sender = access.guard.senderOf(request);
    const hold = await act(
      params.id,
      (found) => access.holds.require(sender, found),
      (transaction, { id }) =>
        storeRelease(transaction, id, { by: access.holds.byOf(sender, body.by), reason: body.reason ?? null }),
    );
    return { status: 200, json: JSON.stringify(hold) };
  });

  api.serve('exceptHold', async ({ params, body, request }) => {
    const sender = access.guard.senderOf(request);
    const until = utc(body.until) ?? body.until;
    const now = await holdClock(queries);
    const faults = exceptionFaults(until, now);
    if (faults.length > 0) throw invalid(faults);
    const hold = await act(
      params.id,
      (found) => access.holds.require(sender, found),
      async (transaction, found) => {
        if (found.until !== null && isBefore(found.until, until)) {
          throw invalid([{ pointer: '/until', message: `must not be after the end of the hold, ${found.until}` }]);
        }
        const { services, reason, by } = body;
        await storeException(transaction, found.id, { services, until, reason, by: access.holds.byOf(sender, by) });
      },
    );
    return made(hold);
  });
}

function refusalOf(judge: () => void): Problem | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

function refusalOfPromise(work: Promise<void>): Promise<Problem | undefined> {
  return work.then(
    () => undefined,
    (error) => (error instanceof Problem ? error : Promise.reject(error)),
  );
}

function made(hold: Hold) {
  const location = endpoints.getHold.path.replace('{id}', hold.id);
  return { status: 201, headers: { [headerNames.location]: location }, json: JSON.stringify(hold) };
}

function noHold(): Problem {
  return new Problem('not-found', { detail: 'No hold has this id.' });
}

function reportOf(hold: Hold): ComponentReport {
  return ownReport(holdReport, lastAct(hold), { hold_id: hold.id });
}

interface PeriodQuery {
  readonly at?: string;
  readonly from?: string;
  readonly to?: string;
  readonly upcoming?: number;
}

/** What a list of holds is about: a period, or a moment with what begins soon after it (holds.md 6.5). */
async function requestedPeriod(queries: Queries, { at, from, to, upcoming }: PeriodQuery) {
  const range = sentRange({ from, to });
  if (range) {
    const beside = { at, upcoming };
    const faults = Object.entries(beside).flatMap(([name, value]) =>
      value === undefined ? [] : [{ pointer: `/${name}`, message: "can't be combined with from and to" }],
    );
    if (faults.length > 0) throw invalid(faults);
    return { ...range, isClosed: false };
  }
  const moment = (at === undefined ? undefined : parseMoment(at)) ?? (await holdClock(queries));
  const ends = instantOfMicros(microsOf(moment) + BigInt(upcoming ?? 0) * hourMicros);
  return { from: moment, to: ends, isClosed: true };
}

async function lastDays(queries: Queries) {
  const to = await holdClock(queries);
  return { from: instantOfMicros(microsOf(to) - 30n * dayMicros), to };
}

function isAfter(key: { happenedAt: string; id: string }, after: { happenedAt: string; id: string }): boolean {
  if (key.happenedAt !== after.happenedAt) return key.happenedAt > after.happenedAt;
  return key.id > after.id;
}

function pageAfter<Item>(
  found: readonly Item[],
  isNext: ((item: Item) => boolean) | undefined,
  limit: number | undefined,
  cursorOf: (item: Item) => string,
) {
  const rest = isNext ? found.filter(isNext) : found;
  const items = rest.slice(0, limit ?? limits.pageSizeDefault);
  const last = items.length < rest.length ? items.at(-1) : undefined;
  return { items, next_cursor: last === undefined ? null : cursorOf(last) };
}

/** Breaches are listed from the greatest key to the least. */
function breachKey({ at, event_id, hold_id }: Breach): string {
  return `${instantKey(at)} ${event_id} ${hold_id}`;
}

function breachCursor(breach: Breach): string {
  return Buffer.from(breachKey(breach)).toString('base64url');
}

function parseBreachCursor(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const isKey = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} [0-9a-f-]{36} [0-9a-f-]{36}$/.test(text);
  return isKey && Buffer.from(text).toString('base64url') === cursor ? text : undefined;
}
