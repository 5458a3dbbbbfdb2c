import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countWaiting, openTransaction, testDatabase, testFolder, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { appendAll } from './support/bulk-append.ts';
import {
  type Asker,
  askersOf,
  type catalogs,
  history,
  type Instance,
  poster,
  textOf,
} from './support/catalog-askers.ts';

/** Two instances on one log, each with its own catalog file. Both files contain the first catalog. */
async function catalogued(): Promise<{ databaseUrl: string; instances: Instance[] }> {
  const { url: databaseUrl } = await testDatabase();
  await appendAll(databaseUrl, history());
  const start = async () => {
    const path = join(await testFolder(), 'catalog.yaml');
    await writeFile(path, textOf('first'));
    const config = { catalogFile: path };
    const { url } = await testService({ databaseUrl, config, times: { catalogPollMs: 1 } });
    return { url, path, written: ['first'], taken: 1 } satisfies Instance;
  };
  return { databaseUrl, instances: [await start(), await start()] };
}

async function metricsText({ url }: Instance): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

/** Replaces the file with a catalog. Resolves when the service has loaded it. */
async function exchange(instance: Instance, name: keyof typeof catalogs): Promise<void> {
  const text = textOf(name);
  instance.written.push(name);
  await writeFile(`${instance.path}.new`, text);
  await rename(`${instance.path}.new`, instance.path);
  const digest = createHash('sha256').update(text).digest('hex');
  await until(async () => (await metricsText(instance)).includes(`shiplog_catalog_info{digest="${digest}"} 1\n`));
  instance.taken = instance.written.length;
}

async function faultsOf(instance: Instance): Promise<number> {
  return Number(/^shiplog_catalog_faults_total (\d+)$/m.exec(await metricsText(instance))?.[1]);
}

/** Damages the file. Resolves when the service has noticed the damage. */
async function spoil(instance: Instance, work: (path: string) => Promise<void>): Promise<void> {
  const before = await faultsOf(instance);
  await work(instance.path);
  await until(async () => (await faultsOf(instance)) === before + 1);
}

/** Changes of a file, in order. */
const fates: readonly ((instance: Instance) => Promise<void>)[] = [
  (instance) => exchange(instance, 'second'),
  (instance) => spoil(instance, (path) => writeFile(path, textOf('first').slice(0, -1))),
  (instance) => exchange(instance, 'first'),
  (instance) => spoil(instance, (path) => rm(path)),
  (instance) => exchange(instance, 'second'),
  (instance) => spoil(instance, (path) => writeFile(path, 'services: [{ team: core }]')),
  (instance) => spoil(instance, (path) => rm(path)),
  (instance) => exchange(instance, 'first'),
];

/** Repeats all calls until the work has ended, and then once more. */
async function during(work: Promise<void>, callers: readonly (() => Promise<void>)[]): Promise<void> {
  let over = false;
  const keepsCalling = async (call: () => Promise<void>) => {
    do await call();
    while (!over);
    await call();
  };
  await Promise.all([
    work.finally(() => {
      over = true;
    }),
    ...callers.map(keepsCalling),
  ]);
}

/** Checks that each response uses one of the two catalogs and is not a 5xx. */
function expectWhole(askers: readonly Asker[]): void {
  expect(askers.flatMap(({ faults }) => faults)).toEqual([]);
  for (const { title, told, statuses } of askers) {
    expect([title, ...told.keys()].toSorted()).toEqual([title, 'first', 'second'].toSorted());
    expect([...statuses].filter((status) => ![200, 304, 422].includes(status))).toEqual([]);
    expect(told.get('first')).not.toEqual(told.get('second'));
  }
}

test('each response uses one valid catalog while files are replaced, damaged and removed under load', async () => {
  const { instances } = await catalogued();
  const askers = instances.flatMap(askersOf);
  const posters = instances.map(poster);
  const callers = [...askers.map((asker) => () => asker.ask()), ...posters.map((each) => () => each.post())];
  for (const fate of fates) {
    for (const instance of instances) await during(fate(instance), callers);
  }
  expectWhole(askers);
  for (const { posted, refused } of posters) {
    expect(refused).toEqual([]);
    expect(posted).toBeGreaterThan(fates.length);
  }
});

test('a catalog that is loaded while a response is being computed does not affect this response', async () => {
  const { databaseUrl, instances } = await catalogued();
  const askers = instances.flatMap(askersOf);
  const askAll = () => Promise.all(askers.map((asker) => asker.ask()));
  await askAll();
  // Requests for a catalog or a team first read the services from the database.
  const held = await openTransaction(databaseUrl, 'lock table latest_deployments in access exclusive mode');
  const asked = askAll();
  await until(async () => (await countWaiting(databaseUrl)) === askers.length);
  // All instances load the catalog at the same time, because the wait for the database is limited.
  await Promise.all(instances.map((instance) => exchange(instance, 'second')));
  await held.query('rollback');
  await asked;
  await askAll();
  expectWhole(askers);
});
