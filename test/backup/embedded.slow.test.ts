import { join } from 'node:path';
import { anEvent, ProgramProcess, postStored, StreamReader, testFolder, testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { PostRun } from '../../apps/service/test/support/posting.ts';
import { fill } from './support/history.ts';
import { pictureOf } from './support/picture.ts';
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

test('a copy of the data folder restores the log, and new ids are greater than the lost ones', async () => {
  const folder = await testFolder();
  const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')];
  const first = spawnOn(dataDir);
  const firstUrl = await first.ready();
  await fill(firstUrl);
  const before = await pictureOf(firstUrl);
  expect(await first.terminate()).toBe(0);
  await runRecipes(['Copy the data folder'], { environment: { DATA_DIR: dataDir, BACKUP: backup } });

  const second = spawnOn(dataDir);
  const run = new PostRun(await second.ready(), 4);
  await run.reaches(100);
  await run.stop();
  expect(await second.terminate()).toBe(0);

  const restored = spawnOn(backup);
  const url = await restored.ready();
  expect(await pictureOf(url)).toEqual(before);
  const lost = run.answered.map(({ id }) => id).sort();
  const reader = await StreamReader.open({
    url: `${url}/api/events/stream`,
    headers: { 'last-event-id': lost.at(-1) ?? '' },
  });
  expect(reader.headers['x-stream-resume']).toBe('replay');
  const { id } = await postStored(url, anEvent());
  expect(id > (lost.at(-1) ?? '')).toBe(true);
  await reader.take(1);
  expect(reader.ids).toEqual([id]);
  expect(await restored.terminate()).toBe(0);
});
