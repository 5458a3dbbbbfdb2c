import { byCodePoint, type DeploymentEventIngest, type Status } from '@shiplog/contract';
import { escapeUnsafe, pluralize } from '@shiplog/text';

/** The events that a deployment would become (fetcher §3.6). */
export interface CheckRow {
  readonly source: string;
  readonly repo: string;
  /** The tool's deployment id, without the prefix of the source. */
  readonly deployment: string;
  readonly environment: string;
  readonly status: Status;
  readonly becomes: readonly DeploymentEventIngest[] | 'dropped' | 'unmapped';
}

/** The freezes that a calendar would make. */
export interface CheckCalendar {
  readonly calendar: string;
  /** Null if the calendar can't be read or is invalid. */
  readonly freezes: number | null;
  /** The first and the last start, in UTC; null without freezes. */
  readonly first: string | null;
  readonly last: string | null;
  /** What is wrong, in a sentence, or null. */
  readonly problem: string | null;
}

export interface SharedService {
  readonly service: string;
  readonly repositories: readonly Pick<CheckRow, 'source' | 'repo'>[];
}

/** Services and the repositories of each are sorted by code point. */
export function sharedServices(rows: readonly CheckRow[]): SharedService[] {
  const repositories = new Map<string, Map<string, CheckRow>>();
  for (const row of rows) {
    for (const { service } of typeof row.becomes === 'string' ? [] : row.becomes) {
      const of = repositories.get(service) ?? new Map<string, CheckRow>();
      repositories.set(service, of.set(nameOf(row), row));
    }
  }
  return [...repositories]
    .filter(([, of]) => of.size > 1)
    .sort(([one], [other]) => byCodePoint(one, other))
    .map(([service, of]) => ({
      service,
      repositories: [...of]
        .sort(([one], [other]) => byCodePoint(one, other))
        .map(([, { source, repo }]) => ({ source, repo })),
    }));
}

function nameOf({ source, repo }: Pick<CheckRow, 'source' | 'repo'>): string {
  return `${source} ${repo}`;
}

const heads = ['SOURCE', 'REPOSITORY', 'DEPLOYMENT', 'ENVIRONMENT', '', 'SERVICE', 'ENVIRONMENT', 'VERSION', 'STATUS'];

export function renderCheck(rows: readonly CheckRow[]): string {
  if (rows.length === 0) return 'No deployments found.\n';
  const shared = sharedServices(rows).map(
    ({ service, repositories }) =>
      `${escapeUnsafe(service)}: ${repositories.map((one) => escapeUnsafe(nameOf(one))).join(', ')}`,
  );
  const sharedLines = shared.length > 0 ? ['', 'Services that come from more than one repository:', ...shared] : [];
  return [...aligned([heads, ...rows.flatMap(linesOf)]), ...sharedLines, ''].join('\n');
}

/** One line per calendar that could be read. */
export function renderCalendars(calendars: readonly CheckCalendar[]): string {
  return calendars
    .filter(({ freezes }) => freezes !== null)
    .map(({ calendar, freezes, first, last }) => {
      const span = first === null ? '' : `, ${first === last ? `at ${first}` : `from ${first} to ${last}`}`;
      return `Calendar ${calendar}: ${pluralize(freezes ?? 0, 'freeze')}${span}\n`;
    })
    .join('');
}

export function checkJson(rows: readonly CheckRow[], calendars: readonly CheckCalendar[] = []): string {
  const read = calendars.length > 0 ? { calendars } : {};
  return `${JSON.stringify({ deployments: rows, shared_services: sharedServices(rows), ...read }, undefined, 2)}\n`;
}

function linesOf({ source, repo, deployment, environment, status, becomes }: CheckRow): string[][] {
  const from = [source, repo, deployment, environment, '->'];
  if (typeof becomes === 'string') return [[...from, `(${becomes})`, '', '', status]];
  return becomes.map((event) => [...from, event.service, event.environment, event.version ?? '', status]);
}

function aligned(lines: readonly (readonly string[])[]): string[] {
  const cells = lines.map((line) => line.map(escapeUnsafe));
  const widths = heads.map((_, column) => Math.max(...cells.map((line) => sizeOf(line[column] ?? ''))));
  return cells.map((line) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - sizeOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

function sizeOf(cell: string): number {
  return [...cell].length;
}
