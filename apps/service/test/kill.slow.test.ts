import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DeploymentEvent } from '@shiplog/contract';
import { startEmbeddedPostgres } from '@shiplog/embedded-postgres';
import {
  listedEvents,
  ProgramProcess,
  runSql,
  StreamReader,
  testDatabase,
  testFolder,
  testKeys,
  testService,
  until,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../../libs/embedded-postgres/src/process-table.ts';
import { PostRun } from './support/posting.ts';

const clients = 32;

function spawnOn(dataDir: string): ProgramProcess {
  return ProgramProcess.spawn('service', {
    PORT: '0',
    DATA_DIR: dataDir,
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
    LOG_LEVEL: 'info',
  });
}

/** All acknowledged events and all posted events of all runs in one test. */
class Ledger {
  readonly #answered: DeploymentEvent[] = [];
  readonly #posted = new Set<string>();

  async add(run: PostRun): Promise<void> {
    await run.stop();
    this.#answered.push(...run.answered);
    for (const id of run.posted) this.#posted.add(id);
  }

  /** Checks that every acknowledged event is listed unchanged, and every listed event was posted. */
  async agreesWith(url: string): Promise<void> {
    const listed = await listedEvents(url);
    expect(this.#answered.filter((event) => !listed.has(event.id))).toEqual([]);
    for (const event of this.#answered) expect(listed.get(event.id)).toEqual(event);
    const strangers = [...listed.values()].filter((event) => !this.#posted.has(event.deployment_id));
    expect(strangers).toEqual([]);
    const deployments = [...listed.values()].map((event) => event.deployment_id);
    expect(new Set(deployments).size, 'each post is stored once').toBe(deployments.length);
  }
}

/** The pid and the address of the server, read from its lock file. */
async function serverOf(dataDir: string): Promise<{ pid: number; url: string }> {
  const lines = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n');
  const [pid, port, folder] = [lines[0], lines[3], lines[4]];
  return {
    pid: Number(pid),
    url: `postgres://postgres@localhost:${port}/shiplog?host=${encodeURIComponent(folder ?? '')}`,
  };
}

test('a service that is killed while it accepts posts loses no acknowledged post', async () => {
  const dataDir = join(await testFolder(), 'data');
  const ledger = new Ledger();
  for (const answers of [1, 50, 400]) {
    const service = spawnOn(dataDir);
    const run = new PostRun(await service.ready(), clients);
    await run.reaches(answers);
    await service.kill();
    await ledger.add(run);
  }
  const service = spawnOn(dataDir);
  await ledger.agreesWith(await service.ready());
  expect(await service.terminate()).toBe(0);
});

test('a service restarts its database server when it is killed, and exits with the reason at the fourth kill within a minute', async () => {
  const dataDir = join(await testFolder(), 'data');
  const ledger = new Ledger();
  const killed = spawnOn(dataDir);
  const url = await killed.ready();
  const killAfter = async (answers: number, isOver: (run: PostRun) => Promise<boolean>) => {
    const run = new PostRun(url, clients);
    await run.reaches(answers);
    process.kill((await serverOf(dataDir)).pid, 'SIGKILL');
    await until(() => isOver(run));
    await ledger.add(run);
    expect(run.refused.every((status) => status === 503)).toBe(true);
  };
  for (const answers of [30, 300, 30]) {
    await killAfter(answers, async ({ refused }) => refused.length > 0);
    await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  }
  await killAfter(30, async () => !isRunning(killed.child.pid ?? 0));
  expect(await killed.exited()).toBe(1);
  expect(killed.output.match(/exited unexpectedly \(.*ended by SIGKILL.*\); restarting it/g)).toHaveLength(3);
  expect(killed.output).toMatch(/the embedded database exited unexpectedly \(.*ended by SIGKILL.*\); exiting too/);
  const service = spawnOn(dataDir);
  await ledger.agreesWith(await service.ready());
  expect(await service.terminate()).toBe(0);
});

/** A service that logs to a killed program. */
async function serviceWithoutParent(dataDir: string): Promise<{ pid: number; url: string }> {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const environment = { PORT: '0', DATA_DIR: dataDir, API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control };
  const parent = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { spawn } from 'node:child_process';
     const service = spawn(process.execPath, ['${main}'], {
       env: { ...process.env, ...${JSON.stringify(environment)} }, stdio: ['ignore', 'pipe', 'pipe'],
     });
     console.log('"pid":' + service.pid);
     service.stdout.pipe(process.stdout);`,
  ]);
  const killed = once(parent, 'close');
  let output = '';
  const found = (pattern: RegExp) => pattern.exec(output)?.[1];
  for await (const text of parent.stdout.setEncoding('utf8')) {
    output += text;
    if (found(/"url":"([^"]+)"/)) break;
  }
  const pid = Number(found(/"pid":(\d+)\n/));
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
  parent.kill('SIGKILL');
  await killed;
  return { pid, url: found(/"url":"([^"]+)"/) ?? '' };
}

test('a service whose log reader was killed keeps running until its database server ends', async () => {
  const dataDir = join(await testFolder(), 'data');
  const service = await serviceWithoutParent(dataDir);
  const run = new PostRun(service.url, clients);
  await run.reaches(200);
  // The service restarts it a few times.
  await until(async () => {
    const { pid } = await serverOf(dataDir).catch(() => ({ pid: 0 }));
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    return !isRunning(service.pid);
  });
  await run.stop();
  const next = spawnOn(dataDir);
  const listed = await listedEvents(await next.ready());
  expect(run.answered.filter((event) => !listed.has(event.id))).toEqual([]);
  expect(await next.terminate()).toBe(0);
});

test('a service started by a test or a benchmark exits when the test or benchmark exits', async () => {
  const database = await testDatabase();
  const service = ProgramProcess.start('service', {
    PORT: '0',
    DATABASE_URL: database.url,
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
  });
  onTestFinished(() => void service.child.kill('SIGKILL'));
  await service.ready();
  // In this case, Node does not report the end of the output.
  const ended = once(service.child, 'exit');
  service.child.disconnect();
  expect(await ended).toEqual([0, null]);
});

test('a service continues to work after one server process is killed', async () => {
  const dataDir = join(await testFolder(), 'data');
  const ledger = new Ledger();
  const service = spawnOn(dataDir);
  const url = await service.ready();
  const stream = await StreamReader.open({ url: `${url}/api/events/stream` });
  const run = new PostRun(url, clients);
  await run.reaches(200);
  const server = await serverOf(dataDir);
  const backends = await runSql<{ pid: number }>(
    server.url,
    `select pid from pg_stat_activity where application_name = 'shiplog' and pid <> pg_backend_pid()`,
  );
  const [backend] = backends;
  // Pid 0 would mean every process in the group, including this one.
  if (!backend) throw new Error('the service has no connection to its database');
  process.kill(backend.pid, 'SIGKILL');
  await run.reaches(run.answered.length + 200);
  await ledger.add(run);
  expect(run.refused.every((status) => status === 503)).toBe(true);
  await ledger.agreesWith(url);
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  const due = [...(await listedEvents(url)).keys()].sort();
  await stream.take(due.length);
  expect(stream.ids).toEqual(due);
  stream.close();
  expect(await service.terminate()).toBe(0);
});

test('posts and streams continue without loss after an external server is killed and restarted', async () => {
  const dataDir = join(await testFolder(), 'data');
  const first = await startEmbeddedPostgres({ dataDir });
  onTestFinished(() => first.stop());
  const databaseUrl = (await serverOf(dataDir)).url;
  const service = await testService({ databaseUrl, times: { heartbeatMs: 15_000, pollMs: 100, stalledMs: 600_000 } });
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  const run = new PostRun(service.url, clients);
  await run.reaches(200);
  process.kill(first.pid, 'SIGKILL');
  await new Promise<string>((resolve) => first.onExit(resolve));
  await first.stop();
  const second = await startEmbeddedPostgres({ dataDir });
  onTestFinished(() => second.stop());
  await run.reaches(run.answered.length + 200);
  const ledger = new Ledger();
  await ledger.add(run);
  expect(run.refused.every((status) => status === 503)).toBe(true);
  await ledger.agreesWith(service.url);
  const due = [...(await listedEvents(service.url)).keys()].sort();
  await stream.take(due.length);
  expect(stream.ids).toEqual(due);
});
