import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { metricsOf, testDatabase, testFolder, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';

/** Every character is a fault. */
const hostile = ']'.repeat(128 * 1024);

test('the service answers while it reads a hostile catalog, and keeps the last good one', async () => {
  const { url: databaseUrl } = await testDatabase();
  const path = join(await testFolder(), 'catalog.yaml');
  await writeFile(path, 'presets: [{ name: Mine }]');
  const { url } = await testService({ databaseUrl, config: { catalogFile: path }, times: { catalogPollMs: 20 } });
  const faults = async () => (await metricsOf(url)).catalogFaults;
  await writeFile(path, hostile);
  const begun = performance.now();
  let longestMs = 0;
  for (let found = false; !found; found = (await faults()) === 1) {
    const asked = performance.now();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - asked);
  }
  // If the catalog were read on the event loop, a single answer would wait all that time.
  expect(longestMs).toBeLessThan((performance.now() - begun) / 4);
  expect(await (await fetch(`${url}/api/catalog`)).json()).toMatchObject({ presets: [{ name: 'Mine' }] });
});
