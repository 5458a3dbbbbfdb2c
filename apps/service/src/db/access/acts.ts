import type { ActKind } from '@shiplog/contract';
import { compactText } from '../../domain/json-text.ts';
import { type RecordsRequest, readRecords } from '../component-events.ts';
import type { Queries } from '../database.ts';
import { newIdAfter } from '../log-mark.ts';

/** Something that changed about access, or was refused (access.md 6). */
export interface Act {
  readonly kind: ActKind;
  readonly subject: string | null;
  readonly reason?: string | undefined;
  readonly count?: number;
  readonly detail?: object | undefined;
  /** Of acts with the same value, only the first is stored. */
  readonly once?: string;
  /** Rows with the same value are parts of one act, whose counts are added. */
  readonly partOf?: string;
}

/** Appends acts. Returns how many were stored; an act that may be stored only once may be there already. */
export async function appendActs(queries: Queries, acts: readonly Act[]): Promise<number> {
  const rows = acts.map(({ partOf: part_of, ...act }) => ({ ...act, part_of }));
  const stored = await queries.query({
    name: 'append-acts',
    text: `
      insert into access_acts (id, kind, subject, reason, count, detail, once, part_of)
      select ${newIdAfter('row_number() over ()')}, kind, subject, reason, coalesce(count, 1), detail, once, part_of
      from json_to_recordset($1::json)
        as act (kind text, subject text, reason text, count bigint, detail jsonb, once text, part_of text)
      on conflict (once) do nothing
      returning id`,
    values: [JSON.stringify(rows, storable)],
  });
  return stored.length;
}

/** PostgreSQL stores neither U+0000 nor lone surrogates. One such text must not hold back the other acts. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/[\0\p{Cs}]/gu, '\ufffd') : value;
}

/** An arbitrary key that is not used elsewhere in the database. */
const fileLockKey = 7_214_803_121;

/**
 * The version of the access file in the last act about it, with what is compared between versions. Other instances wait
 * until the transaction ends.
 */
export async function lockFileVersion(queries: Queries): Promise<FileVersion | undefined> {
  await queries.query({ text: `select pg_advisory_xact_lock(${fileLockKey})` });
  const [last] = await queries.query<FileVersion>({
    text: `
      select detail->>'digest' as digest, detail->'state' as state from access_acts
      where kind = 'file-changed' order by id desc limit 1`,
  });
  return last;
}

/** The member `state` of the detail is not shown. */
interface FileVersion {
  readonly digest: string;
  readonly state: FileState;
}

/**
 * What is compared between versions of the access file: a text for each key, by its id, and for each rule, and whether
 * the shared key counts; the last is absent from acts of earlier versions of Shiplog.
 */
export interface FileState {
  readonly shared_key?: 'on' | 'off';
  readonly keys: Readonly<Record<string, string>>;
  readonly rules: readonly string[];
}

/** One page, newest first. An act that was stored in parts has the id and place of its first part. */
export async function listActs(
  queries: Queries,
  kinds: readonly string[] | undefined,
  { before, size }: RecordsRequest,
) {
  const text = `
    select id, json_build_object('id', id, 'at', log_instant(arrival_ms(id) << 12), 'kind', kind, 'subject', subject,
      'reason', reason, 'count', case when part_of is null then count else (
        select sum(part.count)::bigint from access_acts part where part.part_of = act.part_of
      ) end, 'detail', detail - 'state')::text as record
    from access_acts act
    where ($2::uuid is null or id < $2) and ($3::text[] is null or kind = any($3))
      and (part_of is null or not exists (
        select from access_acts part where part.part_of = act.part_of and part.id < act.id
      ))
    order by id desc limit $1`;
  const page = await readRecords(
    queries,
    { name: 'list-acts', text, values: [size + 1, before ?? null, kinds ?? null] },
    size,
  );
  return { ...page, records: page.records.map(compactText) };
}

/** Removes acts older than the retention period of events. */
export async function pruneActs(queries: Queries, retentionDays: number): Promise<void> {
  await queries.query({
    name: 'prune-acts',
    text: `delete from access_acts where id < log_floor(clock_timestamp() - $1::int * interval '1 day')`,
    values: [retentionDays],
  });
}
