import { pgbench, postLoad } from './harness/load.ts';
import type { Curve, Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';

const rounds = 5;
const seconds = 4;
const swept = [1, 4, 16, 64, 256];
const sweptSeconds = 2;

/** Inserts the row of a post into a table with the same columns and indexes, in one transaction. */
export const plainInsert = `
\\set n random(1, 1000000000)
insert into plain_deployments (id, deployment_id, service, environment, status, happened_at, event)
values (gen_random_uuid(), 'gha-' || :n, 'svc-' || (:n % 100), 'env-' || (:n % 5), 'success', now(),
  '{"id":"019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55","deployment_id":"gha-1","service":"svc-1","environment":"env-1","version":"1.2.3","status":"success","happened_at":"2026-05-04T00:00:00Z","run_url":"https://ci.example.com/runs/1","actor":"alice","ref":"refs/heads/main","sha":"0123456789abcdef"}');
`;
const insertAndNotify = `begin;\n${plainInsert}\nselect pg_notify('plain', 'x');\ncommit;\n`;

/** More WAL than the run writes. */
const walBytes = 2_000_000_000;

/**
 * P1 to P4: posts that are durable, validated and announced, compared with plain inserts into PostgreSQL. The server
 * has been running for a while and reuses its WAL files, because creating a new WAL file would delay all commits.
 */
export async function ingest(): Promise<Outcome> {
  const stage = await openStage({}, { database: { min_wal_size: '2GB' } });
  try {
    await useWal(stage);
    await stage.sql.query('create table plain_deployments (like deployments including all)');
    // The vacuum after the yardstick must not run while posts are measured.
    await stage.sql.query('alter table plain_deployments set (autovacuum_enabled = off)');
    const few: number[] = [];
    const many: number[] = [];
    const spread: number[] = [];
    const plain: number[] = [];
    const notified: number[] = [];
    await postLoad(stage, 64, 3);
    for (let round = 0; round < rounds; round += 1) {
      const load = await postLoad(stage, 64, seconds);
      few.push(load.perSecond);
      spread.push(load.p99Ms / load.p50Ms);
      plain.push(await pgbench(stage, plainInsert, 64, seconds));
      many.push((await postLoad(stage, 256, seconds)).perSecond);
      notified.push(await pgbench(stage, insertAndNotify, 64, seconds));
    }
    const curve = await sweep(stage);
    const inserts = { title: 'pgbench, single-row inserts, 64 clients', measured: plain };
    return {
      figures: [
        {
          goal: 'P1',
          title: 'posts, 64 connections',
          measured: few,
          unit: '/s',
          yardstick: inserts,
          reach: { atLeast: 0.9 },
        },
        {
          goal: 'P2',
          title: 'posts, 256 connections',
          measured: many,
          unit: '/s',
          yardstick: inserts,
          reach: { atLeast: 1 },
        },
        {
          goal: 'P3',
          title: 'posts, 64 connections',
          measured: few,
          unit: '/s',
          yardstick: { title: 'pgbench with NOTIFY, 64 clients', measured: notified },
          reach: { atLeast: 3 },
        },
        { goal: 'P4', title: 'post p99 ÷ p50, 64 connections', measured: spread, unit: '', reach: { atMost: 2.5 } },
      ],
      curves: [curve],
    };
  } finally {
    await stage.close();
  }
}

/** PostgreSQL reuses the WAL files that a checkpoint frees. */
async function useWal({ sql }: Stage): Promise<void> {
  const messageBytes = 1_000_000;
  await sql.query(
    `select count(pg_logical_emit_message(false, '', repeat('x', ${messageBytes})))
     from generate_series(1, ${walBytes / messageBytes})`,
  );
  await sql.query('checkpoint');
}

/** Posts and plain inserts by the number of connections. */
async function sweep(stage: Stage): Promise<Curve> {
  const posts: [connections: number, perSecond: number][] = [];
  const inserts: [connections: number, perSecond: number][] = [];
  for (const connections of swept) {
    posts.push([connections, (await postLoad(stage, connections, sweptSeconds)).perSecond]);
    inserts.push([connections, await pgbench(stage, plainInsert, connections, sweptSeconds)]);
  }
  return {
    name: 'ingest',
    title: 'Posts and plain inserts by connections',
    x: { label: 'connections', logarithmic: true },
    y: { label: '/s' },
    series: [
      { name: 'shiplog', points: posts },
      { name: 'pgbench', points: inserts },
    ],
  };
}
