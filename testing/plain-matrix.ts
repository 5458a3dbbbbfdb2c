import type { DeploymentEvent, Matrix, MatrixSlot } from '@shiplog/contract';

/**
 * The matrix of a set of rows as the specification defines it (§2 MatrixSlot, readings 4.1 to 4.3), in the simplest
 * code: every rule reads all rows of the slot. It shares no code with the product, so that it doesn't have the same
 * bugs.
 */
export function plainMatrix(rows: readonly DeploymentEvent[]): Omit<Matrix, 'generated_at'> {
  const matrixRows = distinct(rows.map((row) => row.service)).map((service) => {
    const ofService = rows.filter((row) => row.service === service);
    const slots = distinct(ofService.map((row) => row.environment)).flatMap((environment) => {
      const slot = plainSlot(ofService.filter((row) => row.environment === environment));
      return slot ? [[environment, slot] as const] : [];
    });
    const upcoming = distinct(ofService.map((row) => row.environment)).flatMap((environment) => {
      const ofPlace = ofService.filter((row) => row.environment === environment);
      const [newest] = newestFirst(ofPlace);
      return newest && !ofPlace.some((row) => isOneOf(row, 'in-progress', 'success', 'failure'))
        ? [[environment, newest] as const]
        : [];
    });
    return {
      service,
      slots: Object.fromEntries(slots),
      ...(upcoming.length > 0 ? { upcoming: Object.fromEntries(upcoming) } : {}),
    };
  });
  return { environments: distinct(matrixRows.flatMap((row) => Object.keys(row.slots))), rows: matrixRows };
}

function plainSlot(rows: readonly DeploymentEvent[]): MatrixSlot | undefined {
  const current = latest(rows.filter((row) => isOneOf(row, 'in-progress', 'success', 'failure')));
  if (!current) return undefined;
  const success = latest(rows.filter((row) => row.status === 'success'));
  const other = latest(rows.filter((row) => !isOneOf(row, 'in-progress', 'success', 'failure')));
  const older = latest(rows.filter((row) => isOneOf(row, 'success', 'failure') && micros(row) < micros(current)));
  return {
    current,
    ...(success && current.status !== 'success' ? { last_successful: success } : {}),
    ...(current.status === 'in-progress' && older?.status === 'failure' ? { prev_failed: true } : {}),
    ...(other && micros(other) > micros(current) ? { next: other } : {}),
  };
}

function isOneOf(row: DeploymentEvent, ...statuses: DeploymentEvent['status'][]): boolean {
  return statuses.includes(row.status);
}

/** The latest row of each (service, environment, status), as `service environment status id`, sorted. */
export function plainLatest(rows: readonly DeploymentEvent[]): string[] {
  const places = distinct(rows.map((row) => `${row.service} ${row.environment} ${row.status}`));
  return places.map((place) => {
    const newest = latest(rows.filter((row) => `${row.service} ${row.environment} ${row.status}` === place));
    return `${place} ${newest?.id}`;
  });
}

/** Newest first by `happened_at`, then by id (§4). */
export function newestFirst(rows: readonly DeploymentEvent[]): DeploymentEvent[] {
  return rows.toSorted((left, right) => byTimeThenId(right, left));
}

function byTimeThenId(left: DeploymentEvent, right: DeploymentEvent): number {
  const apart = micros(left) - micros(right);
  return apart === 0n ? byCodePoint(left.id, right.id) : apart > 0n ? 1 : -1;
}

function latest(rows: readonly DeploymentEvent[]): DeploymentEvent | undefined {
  let found: DeploymentEvent | undefined;
  for (const row of rows) if (!found || byTimeThenId(row, found) > 0) found = row;
  return found;
}

/** Microseconds since the Unix epoch. Digits after the sixth don't affect the order (reading 3.3). */
export function micros(row: Pick<DeploymentEvent, 'happened_at'>): bigint {
  const [, seconds = '', fraction = ''] = /^(.{19})\.?(\d*)Z$/.exec(row.happened_at) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort(byCodePoint);
}

/** UTF-8 bytes sort like code points; JavaScript compares UTF-16 units, in which U+FF5E comes after U+1F6A2. */
function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
