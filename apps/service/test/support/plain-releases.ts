import type { DeploymentEvent } from '@shiplog/contract';
import { distinct, newestFirst } from '@shiplog/testing';

/**
 * Releases as defined by questions.md 9, 12.9 and 12.12, from a list of rows, in plain loops. The model shares no code
 * with the product.
 */

type Rows = readonly DeploymentEvent[];

/**
 * A key that is the same for all rows of one release of a service; undefined if there is neither a version nor a sha.
 */
export function releaseKey({ service, version, sha }: DeploymentEvent): string | undefined {
  if (version) return JSON.stringify([service, version]);
  return sha ? JSON.stringify([service, null, sha]) : undefined;
}

function successesIn(rows: Rows, service: string, environment: string): DeploymentEvent[] {
  return newestFirst(
    rows.filter((row) => row.service === service && row.environment === environment && row.status === 'success'),
  );
}

/**
 * The last uninterrupted run of a release in a slot's successes, newest first, and the success right before that run.
 */
function lastRun(successes: Rows, key: string): { run: DeploymentEvent[]; before: DeploymentEvent | undefined } {
  const run: DeploymentEvent[] = [];
  for (const row of successes) {
    if (releaseKey(row) === key) run.push(row);
    else if (run.length > 0) return { run, before: row };
  }
  return { run, before: undefined };
}

function plainRelease(key: string, rows: Rows) {
  const own = newestFirst(rows.filter((row) => releaseKey(row) === key));
  const [service = '', version = null] = JSON.parse(key) as [string, string | null];
  const newest = (name: 'sha' | 'ref' | 'actor') => own.find((row) => row[name])?.[name] ?? null;
  const runs_in: string[] = [];
  const places: Record<string, { event: DeploymentEvent; since: string | null; until: string | null }> = {};
  const replaced: Record<string, { version: string | null; sha: string | null } | null> = {};
  for (const environment of distinct(own.map((row) => row.environment))) {
    const event = own.find(
      (row) => row.environment === environment && ['in-progress', 'success', 'failure'].includes(row.status),
    );
    if (!event) continue;
    const successes = successesIn(rows, service, environment);
    const { run, before } = lastRun(successes, key);
    const isRunning = run.length > 0 && successes[0] === run[0];
    if (isRunning) runs_in.push(environment);
    // Newest first: the success before the last one of the release in this list came right after it.
    const last = successes.findIndex((row) => releaseKey(row) === key);
    const until = successes[last - 1]?.happened_at ?? null;
    places[environment] = { event, since: isRunning ? (run.at(-1)?.happened_at ?? null) : null, until };
    const isNamed = before && releaseKey(before) !== undefined;
    replaced[environment] = isNamed ? { version: before.version || null, sha: before.sha || null } : null;
  }
  return {
    item: {
      service,
      version,
      sha: version === null ? (own[0]?.sha ?? null) : newest('sha'),
      ref: newest('ref'),
      actor: newest('actor'),
      first_at: own.at(-1)?.happened_at,
      last_at: own[0]?.happened_at,
      runs_in,
      places,
    },
    events: own.slice(0, 500),
    replaced,
  };
}

/** Every release, newest first by its latest row. */
export function plainReleases(rows: Rows) {
  const keys: string[] = [];
  for (const row of newestFirst(rows)) {
    const key = releaseKey(row);
    if (key !== undefined && !keys.includes(key)) keys.push(key);
  }
  return keys.map((key) => plainRelease(key, rows));
}

const lowered = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether a search finds a release with these rows. */
export function isFound(q: string, version: string | null, rows: Rows): boolean {
  if (version !== null && lowered(version).includes(lowered(q))) return true;
  const isHex = q.length >= 4 && [...lowered(q)].every((digit) => '0123456789abcdef'.includes(digit));
  return isHex && rows.some(({ sha }) => sha !== undefined && lowered(sha).startsWith(lowered(q)));
}
