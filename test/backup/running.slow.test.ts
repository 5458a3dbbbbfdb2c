import { join } from 'node:path';
import { listedEvents, ProgramProcess, testFolder, testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { PostRun } from '../../apps/service/test/support/posting.ts';
import { fill } from './support/history.ts';
import { runRecipes } from './support/recipes.ts';

function spawnOn(dataDir: string): ProgramProcess {
  return ProgramProcess.spawn('service', {
    PORT: '0',
    DATA_DIR: dataDir,
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
    RESET_EXPECTED_COMPONENTS: '',
  });
}

const command = `${process.execPath} ${join(import.meta.dirname, '../../apps/command/dist/main.js')}`;

test('a backup of a running service has every event acknowledged before the backup, and a service can start on it', async () => {
  const folder = await testFolder();
  const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')];
  const service = spawnOn(dataDir);
  const url = await service.ready();
  await fill(url);
  const run = new PostRun(url, 4);
  await run.reaches(200);
  const before = [...(await listedEvents(url)).keys(), ...run.answered.map(({ id }) => id)];
  await runRecipes(['shiplog backup'], {
    environment: { DATA_DIR: dataDir, BACKUP: backup },
    instead: { 'shiplog backup': `${command} backup` },
  });
  const during = run.answered.length;
  await run.reaches(during + 20);
  await run.stop();
  const all = [...(await listedEvents(url)).keys()].sort();
  expect(await service.terminate()).toBe(0);

  const restored = spawnOn(backup);
  const restoredUrl = await restored.ready();
  const kept = [...(await listedEvents(restoredUrl)).keys()].sort();
  expect(before.filter((id) => !kept.includes(id))).toEqual([]);
  // The backup has the complete log up to some id.
  expect(kept).toEqual(all.slice(0, kept.length));
  const more = new PostRun(restoredUrl, 2);
  await more.reaches(20);
  await more.stop();
  expect(await restored.terminate()).toBe(0);
});
