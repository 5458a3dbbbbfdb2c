import { everyComponent, nilId, type Stream, type StreamName, streams } from '@shiplog/contract';
import { frameText, type Log, type LogBounds, type Page } from '@shiplog/streams';
import { oneRow, type Queries, type Statement } from './database.ts';
import { DatabaseUnavailable, isStandby } from './errors.ts';
import type { Rewind } from './rewind.ts';

interface LogTable {
  readonly table: string;
  /** The column that a stream's filter compares. */
  readonly key: string;
  /** The JSON of the frame's data. */
  readonly json: string;
  /** The column with the frame name; null if all frames of the stream have the same name. */
  readonly name: string;
  /** Whether a row matches the filter `$2`. `keyPasses` checks a key in memory. */
  readonly passes: string;
  readonly keyPasses: Log['passes'];
  /** The id after which a stream without a resume id starts. `ends` is the end of the log. */
  readonly begin: (ends: string) => string;
}

const tables: Readonly<Record<StreamName, LogTable>> = {
  deployments: {
    table: 'deployments',
    key: 'service',
    json: 'event',
    name: 'null::text',
    passes: 'service = $2',
    keyPasses: (filter, service) => service === filter,
    begin: (ends) => ends,
  },
  control: {
    table: 'control_frames',
    key: 'component',
    json: 'frame',
    name: 'type',
    passes: `component in ($2, '${everyComponent}')`,
    keyPasses: (filter, component) => component === filter || component === everyComponent,
    // A component that starts during a reset must still drain and ack (reading 6.1).
    begin: (ends) => `case (select state from reset) when 'idle' then ${ends} else coalesce(
      (select id from control_frames where id < (select correlation_id from reset) order by id desc limit 1),
      '${nilId}') end`,
  },
  components: {
    table: 'component_reports',
    key: 'component_id',
    json: 'record',
    name: 'null::text',
    passes: 'true',
    keyPasses: () => true,
    begin: (ends) => ends,
  },
};

/** Rows below this id are too old to replay (reading 6.2). */
function oldest(name: StreamName): string {
  const { replayHours } = streams[name];
  return replayHours === undefined
    ? `'${nilId}'::uuid`
    : `(select log_floor(clock_timestamp() - interval '${replayHours} hours'))`;
}

const pageRows = 500;
const pageBytes = 1024 * 1024;

/** The greatest id of rows that were removed or are too old to replay, and the tick of the last removal. */
function removed(name: StreamName): string {
  const aged = `(select id from ${tables[name].table} where id < ${oldest(name)} order by id desc limit 1)`;
  return `select greatest(removed_id, ${aged}) as removed_id, removed_tick from log_heads where log = '${name}'`;
}

const pageStatement = statements('log-page', (name) => {
  const { table, key, json, name: frameName, passes } = tables[name];
  return `
    select bounds.removed_id, bounds.removed_tick, id, coalesce(found, 0) as found, case when passes then key end as key,
      case when passes then name end as name, case when passes then json end as json
    from (${removed(name)}) bounds
    left join (
      select id, key, name, json, passes, count(*) over ()::int as found,
        sum(octet_length(json)) over (order by id) - octet_length(json) as bytes_before
      from (
        select id, ${key} as key, ${frameName} as name, ${json} as json, ($2::text is null or ${passes}) as passes
        from ${table} where id > greatest($1::uuid, ${oldest(name)}) order by id limit ${pageRows}
      ) page
    ) sized on bytes_before < ${pageBytes}
    order by id`;
});

/**
 * Reads at most `pageRows` rows and about `pageBytes` of JSON. A filter removes rows from the page, so it doesn't
 * increase the cost.
 */
async function readPage(queries: Queries, name: StreamName, after: string, filter: string | undefined): Promise<Page> {
  interface Row {
    readonly removed_id: string;
    readonly removed_tick: string;
    readonly id: string | null;
    readonly found: number;
    readonly key: string | null;
    readonly name: string | null;
    readonly json: string | null;
  }
  const rows = await queries.query<Row>({ ...pageStatement[name], values: [after, filter] });
  const [first] = rows;
  if (!first) throw new Error(`log_heads has no row for ${name}`);
  const read = first.id === null ? 0 : rows.length;
  const atHead = first.found < pageRows && read === first.found;
  const last = rows.at(-1)?.id ?? after;
  const { frameName, nameFirst }: Stream = streams[name];
  return {
    entries: rows.flatMap(({ id, key, name: rowName, json }) => {
      if (id === null || key === null || json === null) return [];
      return [{ id, key, frame: frameText({ id, event: frameName ?? rowName ?? '', data: json, nameFirst }) }];
    }),
    // At the head of the log, removed rows count as read.
    position: atHead && first.removed_id > last ? first.removed_id : last,
    atHead,
    removals: BigInt(first.removed_tick),
  };
}

const boundsStatement = statements('log-bounds', (name) => {
  const { table, begin } = tables[name];
  return `
    select last_id, removed_id, removed_tick, ${begin('last_id')} as begin_id, pg_is_in_recovery() as standby,
      (select json_build_object('from', rewound_from, 'to', rewound_to) from log_heads
        where log = '${name}' and rewound_to is not null) as rewound
    from (
      select *, greatest(removed_id, (select id from ${table} order by id desc limit 1)) as last_id
      from (${removed(name)}) removed
    ) bounds`;
});

/** @throws DatabaseUnavailable on a standby, because it may be behind and a reader would get rows twice. */
async function readBounds(queries: Queries, name: StreamName): Promise<LogBounds> {
  interface Row {
    readonly last_id: string;
    readonly removed_id: string;
    readonly removed_tick: string;
    readonly begin_id: string;
    readonly standby: boolean;
    readonly rewound: Rewind | null;
  }
  const row = await oneRow<Row>(queries, boundsStatement[name]);
  if (row.standby) throw new DatabaseUnavailable(isStandby);
  const { last_id: lastId, removed_id: removedId, begin_id: beginId, rewound } = row;
  return { lastId, removedId, beginId, removals: BigInt(row.removed_tick), ...(rewound && { rewound }) };
}

export function tableLog(queries: Queries, name: StreamName): Log {
  return {
    bounds: () => readBounds(queries, name),
    read: (after, filter) => readPage(queries, name, after, filter),
    passes: tables[name].keyPasses,
  };
}

function statements(purpose: string, text: (name: StreamName) => string): Readonly<Record<StreamName, Statement>> {
  const names = Object.keys(tables) as StreamName[];
  const made = names.map((name) => [name, { name: `${purpose}-${name}`, text: text(name) }] as const);
  return Object.fromEntries(made) as Record<StreamName, Statement>;
}
