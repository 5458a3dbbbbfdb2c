/** A row of the log with its arrival time, which responses don't include. */
export interface PlainRow {
  readonly id: string;
  readonly arrivedMs: number;
  readonly happenedMicros: bigint;
  readonly deployment: string;
  readonly service: string;
  readonly environment: string;
  readonly status: string;
  readonly reporter: string | null;
  readonly parents: readonly string[];
  readonly released: boolean;
}

export interface PlainFinding {
  readonly kind: string;
  readonly service: string | null;
  readonly environment: string | null;
  readonly count: number;
  readonly event_id: string | null;
  readonly before_reporter?: number;
}

type Rows = readonly PlainRow[];

const minuteMicros = 60_000_000n;
const hourMicros = 60n * minuteMicros;
const dayMicros = 24n * hourMicros;

const arrivedMicros = (row: PlainRow) => BigInt(row.arrivedMs) * 1000n;

function isOlder(one: PlainRow, other: PlainRow): boolean {
  if (one.happenedMicros !== other.happenedMicros) return one.happenedMicros < other.happenedMicros;
  return one.id < other.id;
}

function newestOf(rows: Rows): PlainRow | undefined {
  let newest: PlainRow | undefined;
  for (const row of rows) if (!newest || isOlder(newest, row)) newest = row;
  return newest;
}

/** One finding for each slot of these rows. */
function bySlot(kind: string, rows: Rows): PlainFinding[] {
  const findings: PlainFinding[] = [];
  for (const service of new Set(rows.map((row) => row.service))) {
    for (const environment of new Set(rows.map((row) => row.environment))) {
      const own = rows.filter((row) => row.service === service && row.environment === environment);
      const newest = newestOf(own);
      if (newest) findings.push({ kind, service, environment, count: own.length, event_id: newest.id });
    }
  }
  return findings;
}

function middle(values: readonly number[]): number | null {
  if (values.length < 3) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

function lastArrived(rows: Rows, reporter: string | null): PlainRow[] {
  return rows.filter((row) => row.reporter === reporter).sort((one, other) => (one.id < other.id ? 1 : -1));
}

export function plainEmitters(rows: Rows, nowMs: number) {
  const names = [...new Set(rows.map((row) => row.reporter))];
  const ordered = [...names.filter((name) => name !== null).sort(), ...names.filter((name) => name === null)];
  return ordered.map((reporter) => {
    const own = lastArrived(rows, reporter);
    const times = own.map((row) => row.arrivedMs);
    const intervals: number[] = [];
    for (let at = 0; at + 1 < times.length && at < 100; at += 1) {
      intervals.push(((times[at] ?? 0) - (times[at + 1] ?? 0)) / 60_000);
    }
    const usual = middle(intervals);
    const age = (nowMs - (times[0] ?? 0)) / 60_000;
    return {
      reporter,
      rows_24h: times.filter((time) => time >= nowMs - 86_400_000).length,
      last_at: new Date(times[0] ?? 0).toISOString(),
      usual_interval_minutes: usual,
      silent: usual !== null && age > usual * 5 && age > 1440,
    };
  });
}

function late(rows: Rows): PlainRow[] {
  return rows.filter((row) => {
    const lags = lastArrived(rows, row.reporter)
      .slice(0, 100)
      .map((one) => Number(arrivedMicros(one) - one.happenedMicros) / 60_000_000);
    const usual = middle(lags);
    return usual !== null && usual < 60 && arrivedMicros(row) - row.happenedMicros > dayMicros;
  });
}

/** For each slot, the number of late rows that are older than the first row of their reporter. */
function lateFindings(rows: Rows, takes: (row: PlainRow) => boolean): PlainFinding[] {
  const found = late(rows).filter(takes);
  const history = bySlot(
    'late',
    found.filter((row) => row.happenedMicros < arrivedMicros(lastArrived(rows, row.reporter).at(-1) ?? row)),
  );
  return bySlot('late', found).map((finding) => {
    const { service, environment } = finding;
    const own = history.find((one) => one.service === service && one.environment === environment);
    return { ...finding, ...(own && { before_reporter: own.count }) };
  });
}

/** The last row of each deployment. */
function lastRows(rows: Rows): PlainRow[] {
  return [...new Set(rows.map((row) => row.deployment))].flatMap(
    (deployment) => newestOf(rows.filter((row) => row.deployment === deployment)) ?? [],
  );
}

function stuck(rows: Rows, nowMicros: bigint): PlainRow[] {
  const last = lastRows(rows);
  return last.filter((row) => {
    if (!['pending', 'queued', 'waiting', 'in-progress'].includes(row.status)) return false;
    const durations: bigint[] = [];
    for (const end of last) {
      if (end.service !== row.service || end.environment !== row.environment) continue;
      if (end.happenedMicros < nowMicros - 30n * dayMicros || end.happenedMicros >= nowMicros) continue;
      const own = rows.filter(({ deployment }) => deployment === end.deployment);
      if (own.length < 2) continue;
      durations.push(
        end.happenedMicros - own.reduce((first, one) => (isOlder(one, first) ? one : first)).happenedMicros,
      );
    }
    durations.sort((one, other) => (one < other ? -1 : 1));
    const p95 = durations[Math.ceil(durations.length * 0.95) - 1] ?? 0n;
    const age = nowMicros - row.happenedMicros;
    return age > hourMicros && age > 3n * p95;
  });
}

function repeats(rows: Rows): PlainRow[] {
  return rows.filter((row) =>
    rows.some(
      (other) =>
        isOlder(other, row) &&
        row.happenedMicros - other.happenedMicros <= 10n * minuteMicros &&
        (['deployment', 'service', 'environment', 'status'] as const).every((name) => other[name] === row[name]),
    ),
  );
}

function unversioned(rows: Rows): PlainRow[] {
  return bySlot('', rows).flatMap(({ service, environment }) => {
    const own = rows.filter((row) => row.service === service && row.environment === environment);
    const ten = own.sort((one, other) => (isOlder(one, other) ? 1 : -1)).slice(0, 10);
    return ten.length === 10 && ten.every((row) => !row.released) ? ten : [];
  });
}

/** Zero-width and directional characters. */
function isUnseen(character: string): boolean {
  return '\u200b\u200e\u202e\u2066\ufeff'.includes(character);
}

function alike(rows: Rows, of: 'service' | 'environment'): PlainFinding[] {
  const plain = (name: string) =>
    [...name.toLowerCase()]
      .filter((character) => !'-_.'.includes(character) && !isUnseen(character))
      .join('')
      .replaceAll('production', 'P')
      .replaceAll('prod', 'P')
      .replaceAll('staging', 'S')
      .replaceAll('stage', 'S')
      .replaceAll('stg', 'S')
      .replaceAll('development', 'D')
      .replaceAll('dev', 'D');
  const names = [...new Set(rows.map((row) => row[of]))].sort();
  return [...new Set(names.map(plain))].flatMap((one) => {
    const group = names.filter((name) => plain(name) === one);
    const place = { service: null, environment: null, [of]: group[0] };
    const isFound = group.length > 1 || [...(group[0] ?? '')].some(isUnseen);
    return isFound ? [{ kind: 'look-alike', ...place, count: group.length, event_id: null }] : [];
  });
}

/** All findings for the rows in a scope, unordered. */
export function plainFindings(rows: Rows, nowMs: number, takes: (row: PlainRow) => boolean): PlainFinding[] {
  const nowMicros = BigInt(nowMs) * 1000n;
  const taken = rows.filter(takes);
  const unknown = taken.filter(
    (row) =>
      arrivedMicros(row) <= nowMicros - hourMicros &&
      row.parents.some((parent) => !rows.some(({ deployment }) => deployment === parent)),
  );
  return [
    ...bySlot(
      'future',
      taken.filter((row) => row.happenedMicros - arrivedMicros(row) > 5n * minuteMicros),
    ),
    ...lateFindings(rows, takes),
    ...bySlot('stuck', stuck(rows, nowMicros).filter(takes)),
    ...bySlot('unknown-parent', unknown),
    ...bySlot('duplicate', repeats(taken)),
    ...alike(taken, 'service'),
    ...alike(taken, 'environment'),
    ...plainEmitters(rows, nowMs)
      .filter(({ silent }) => silent)
      .map(() => ({ kind: 'silent', service: null, environment: null, count: 1, event_id: null })),
    ...bySlot('unversioned', unversioned(taken)),
  ];
}
