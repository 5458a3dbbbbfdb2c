import type { DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, clientOf, openTransaction, postStored, runSql, StreamReader, testService } from '@shiplog/testing';
import { expect, onTestFinished } from 'vitest';
import { Database } from '../../../apps/service/src/db/database.ts';
import { migrate } from '../../../apps/service/src/db/migrate.ts';
import { Servers } from '../../../apps/service/src/db/servers.ts';
import { comparedFolds } from '../../../apps/service/test/support/compared.ts';
import { earlierDatabase, migrationsUpTo, postEarlier } from './earlier.ts';

const batchRows = 2500;
const environments = ['dev', 'staging', 'prod'];

/** Promoted deployments of 40 services: in progress, then success or one failure in eight. */
function eventOf(n: number): DeploymentEventIngest {
  const [deployment, isEnd] = [Math.floor(n / 2), n % 2 === 1];
  const [round, place] = [Math.floor(deployment / 120), deployment % 120];
  const stage = Math.floor(place / 40);
  return {
    deployment_id: `d-${deployment}`,
    service: `service-${place % 40}`,
    environment: environments[stage] ?? '',
    status: isEnd ? (deployment % 8 === 7 ? 'failure' : 'success') : 'in-progress',
    happened_at: new Date(Date.UTC(2026, 4, 4) + n * 1000).toISOString(),
    version: `1.${Math.floor(round / 2)}`,
    sha: `abc${round}`,
    actor: `actor-${deployment % 9}`,
    ...(stage > 0 && { parent_deployments: [`d-${deployment - 40}`] }),
  };
}

/** A database as left by a service with these migrations, with this many events. */
async function earlierLog(last: string, rows: number): Promise<string> {
  const url = await earlierDatabase(migrationsUpTo(last));
  for (let from = 0; from < rows; from += batchRows) {
    const size = Math.min(batchRows, rows - from);
    await postEarlier(url, ...Array.from({ length: size }, (_, index) => eventOf(from + index)));
  }
  await runSql(url, 'analyze deployments');
  return url;
}

const refusal =
  /^(Analytics and releases are being prepared: [\d,]+ of about [\d,]+ events are in\. Try again in a few minutes|The figures don't include the latest events yet)/;

/**
 * Starts this version on the log of an earlier one. While it prepares the figures, posts, board, listing, streams and
 * readiness must work, and analytics must be correct or refused; afterwards, the figures must match the log.
 * @returns the log lines, and the number of analytics requests that were refused with the progress.
 */
export async function upgrade({ last, rows }: { readonly last: string; readonly rows: number }) {
  const databaseUrl = await earlierLog(last, rows);
  expect((await migrate({ connectionString: databaseUrl })).length).toBeGreaterThan(0);
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
  const steps = await openTransaction(databaseUrl, 'select from folds for update');
  const { url } = await testService({ databaseUrl, log, times: { foldReportMs: 0 } });
  const before = (await clientOf(url).getReadiness()).body;
  expect(before).toMatchObject({ status: 'ready', preparing: { events: 0 } });
  expect(Math.abs((before.preparing?.total ?? 0) - rows)).toBeLessThanOrEqual(rows / 10);

  const stream = await StreamReader.open({ url: `${url}/api/events/stream` });
  let posted = 0;
  const works = async () => {
    posted += 1;
    const { id } = await postStored(url, anEvent({ service: `new-${posted}`, environment: 'prod' }));
    await stream.until(() => stream.ids.includes(id));
    const { items } = (await clientOf(url).listDeployments({ query: { service: `new-${posted}` } })).body;
    expect(items.map((item) => item.id)).toEqual([id]);
    const board = (await clientOf(url).getMatrix({ query: {} })).body;
    expect(JSON.stringify(board.rows)).toContain(id);
    expect((await clientOf(url).getReadiness()).body.status).toBe('ready');
  };
  await works();
  await steps.query('rollback');
  let refused = 0;
  const isAnswered = async () => {
    const answer = await fetch(`${url}/api/analytics/status-distribution?window=30d`);
    const json: unknown = await answer.json();
    if (answer.status === 200) return true;
    expect(json).toMatchObject({ status: 503, detail: expect.stringMatching(refusal) });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    if (JSON.stringify(json).includes('being prepared')) refused += 1;
    return false;
  };
  while (!(await isAnswered())) await works();
  expect((await clientOf(url).getReadiness()).body.preparing).toBeUndefined();

  const database = new Database(new Servers([{ connectionString: databaseUrl }]), () => undefined);
  onTestFinished(() => database.stop());
  const compared = await comparedFolds(database);
  expect(compared.flatMap(({ differences }) => differences)).toEqual([]);
  const [counted] = await runSql<{ events: number }>(
    databaseUrl,
    `select sum(events)::int as events from event_counts where dimension = 'status'`,
  );
  expect(counted?.events).toBe(rows + posted);
  return { lines, refused };
}
