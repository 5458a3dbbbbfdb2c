import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { metricsOf, testDatabase, testFolder, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';

/** Every character is an error. */
const hostile = ']'.repeat(128 * 1024);

test('the service stays responsive while it reads a malicious catalog, and keeps the last valid one', async () => {
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
  // If the catalog were parsed on the event loop, a single response would wait the whole time.
  expect(longestMs).toBeLessThan((performance.now() - begun) / 4);
  expect(await (await fetch(`${url}/api/catalog`)).json()).toMatchObject({ presets: [{ name: 'Mine' }] });
});
