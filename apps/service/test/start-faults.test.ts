import { once } from 'node:events';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import {
  anEvent,
  ProgramProcess,
  postStored,
  runningProcesses,
  testDatabase,
  testFolder,
  testKeys,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { refusedStart, secretKeys } from './support/refused-start.ts';

async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return String((server.address() as AddressInfo).port);
}

test('all invalid settings are reported together', async () => {
  const sentences = await refusedStart({
    ...secretKeys,
    PORT: 'http',
    LOG_LEVEL: 'loud',
    HISTORY_RETENTION_DAYS: '10',
    API_KEY_NEXT_FILE: '/nowhere/key',
  });
  expect(sentences.sort()).toEqual([
    expect.stringMatching(/^API_KEY_NEXT_FILE is "\/nowhere\/key", which cannot be read/),
    expect.stringMatching(/^HISTORY_RETENTION_DAYS is "10"; it must be an integer from 90/),
    expect.stringMatching(/^LOG_LEVEL is "loud"; it must be one of trace/),
    expect.stringMatching(/^PORT is "http"; it must be an integer/),
  ]);
});

test('development keys are refused if other machines can reach the service, and one key for two purposes is always refused', async () => {
  expect(await refusedStart({ HOST: '0.0.0.0' })).toEqual([
    expect.stringMatching(/^HOST is "0\.0\.0\.0", .*\. Set API_KEY and CONTROL_API_KEY, or listen on 127\.0\.0\.1\.$/),
  ]);
  expect(await refusedStart({ API_KEY: 'secret-of-all', CONTROL_API_KEY: 'secret-of-all' })).toEqual([
    expect.stringMatching(/CONTROL_API_KEY/),
  ]);
});

test('an invalid catalog is reported with its line, before anything else is started', async () => {
  const folder = await testFolder();
  const file = join(folder, 'catalog.yaml');
  await writeFile(file, 'services:\n  - team: core\n');
  const catalog = { CATALOG_FILE: file, DATA_DIR: join(folder, 'data') };
  expect(await refusedStart(catalog)).toEqual([`${file}, line 2, column 5: services[0] needs a name.`]);
  expect(await readdir(folder)).toEqual(['catalog.yaml']);
  expect(await refusedStart({ ...catalog, CATALOG_FILE: `${file}.missing` })).toEqual([
    expect.stringMatching(/\.missing cannot be read \(ENOENT\)\. Correct CATALOG_FILE or the file\.$/),
  ]);
});

test('a data directory of another PostgreSQL version is refused and left unchanged', async () => {
  const dataDir = join(await testFolder(), 'data');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'PG_VERSION'), '13\n');
  expect(await refusedStart({ DATA_DIR: dataDir })).toEqual([
    expect.stringMatching(
      /was written by PostgreSQL 13, but this program includes PostgreSQL \d+\. Dump it .* DATA_DIR/,
    ),
  ]);
  expect(await readdir(dataDir)).toEqual(['PG_VERSION']);
});

test('a folder with other files is refused and left unchanged', async () => {
  const dataDir = await testFolder();
  await writeFile(join(dataDir, 'photo.jpg'), '');
  expect(await refusedStart({ DATA_DIR: dataDir })).toEqual([
    expect.stringMatching(
      /is neither empty nor a PostgreSQL data directory\. Point DATA_DIR at a new or empty folder\.$/,
    ),
  ]);
  expect(await readdir(dataDir)).toEqual(['photo.jpg']);
});

test('a data directory without write permission is refused', async () => {
  const dataDir = join(await testFolder(), 'data');
  await mkdir(dataDir);
  await chmod(dataDir, 0o555);
  expect(await refusedStart({ DATA_DIR: dataDir })).toEqual([expect.stringMatching(/write-protected.* DATA_DIR/)]);
});

test('a data directory in use by another service is refused, and that service continues', async () => {
  const dataDir = join(await testFolder(), 'data');
  const first = ProgramProcess.spawn('service', {
    PORT: '0',
    DATA_DIR: dataDir,
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
  });
  const url = await first.ready();
  expect(await refusedStart({ DATA_DIR: dataDir })).toEqual([
    `The data directory ${dataDir} is in use by process ${first.pid}. Stop that process, or point DATA_DIR at another folder.`,
  ]);
  await postStored(url, anEvent());
  expect(await first.terminate()).toBe(0);
});

test('a start fails if its port is in use, and stops the database that it started', async () => {
  const dataDir = join(await testFolder(), 'data');
  const port = await takenPort();
  expect(await refusedStart({ DATA_DIR: dataDir, PORT: port })).toEqual([
    `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to a free port.`,
  ]);
  expect(await readdir(dataDir)).not.toContain('postmaster.pid');
  expect(runningProcesses().filter(({ args }) => args.includes(dataDir))).toEqual([]);
});

test('a start fails if this machine does not have the address', async () => {
  const { url } = await testDatabase();
  for (const host of ['203.0.113.1', 'no-such-host.invalid']) {
    expect(await refusedStart({ ...secretKeys, DATABASE_URL: url, HOST: host })).toEqual([
      expect.stringMatching(/^HOST is .*, which isn't an address of this machine\. Set it to 127\.0\.0\.1/),
    ]);
  }
});
