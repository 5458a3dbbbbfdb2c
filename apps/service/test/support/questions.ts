import { expect } from 'vitest';

/** Requests whose responses depend on a tick of the log, one of each kind, for all data up to the end of today. */
export function questionPaths(): string[] {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const period = `from=${at(-20)}&to=${at(0).slice(0, 10)}T23:59:59Z`;
  return [
    `/api/analytics/frequency?${period}`,
    `/api/analytics/dora?${period}`,
    `/api/analytics/status-distribution?${period}&services=a*`,
    `/api/analytics/incidents?${period}`,
    `/api/analytics/evidence/change_failure_rate?${period}`,
    '/api/quality',
    '/api/releases',
    '/api/releases/api/1.0.0',
    '/api/environments/diff?from=staging&to=prod',
    `/api/matrix?at=${at(1)}`,
  ];
}

export interface Answered {
  readonly status: number;
  readonly etag: string | null;
  readonly json: string;
}

/** The response of an instance, without its generation time. */
export async function answered(url: string, path: string, etag?: string): Promise<Answered> {
  const answer = await fetch(`${url}${path}`, { headers: etag === undefined ? {} : { 'if-none-match': etag } });
  const json = (await answer.text()).replace(/"generated_at":"[^"]*",/, '');
  return { status: answer.status, etag: answer.headers.get('etag'), json };
}

/** Checks that both instances return equal responses to all requests. */
export async function expectSame(url: string, other: string, paths = questionPaths()): Promise<void> {
  for (const path of paths) {
    const [one, two] = [await answered(url, path), await answered(other, path)];
    expect({ path, ...one }).toEqual({ path, ...two });
    expect(one.status, path).toBe(200);
  }
}

export interface ReadCounts {
  readonly standby: number;
  readonly primary: number;
  /** How many times the primary was read, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** How many times an instance has read from a standby and from the primary. */
export async function readCounts(url: string): Promise<ReadCounts> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counted = (name: string, label: string) =>
    Object.fromEntries(
      [...text.matchAll(new RegExp(`^${name}\\{${label}="([^"]*)"\\} (.*)$`, 'gm'))].map(([, key = '', count]) => [
        key,
        Number(count),
      ]),
    );
  const { standby = 0, primary = 0 } = counted('shiplog_reads_total', 'place');
  return { standby, primary, reasons: counted('shiplog_read_fallbacks_total', 'reason') };
}
