import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemKinds } from '@shiplog/contract';
import { developmentKeys } from '@shiplog/server';
import { builtDashboard, testDatabase, testKeys, testService } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { testEmulator } from '../../apps/ci-emulator/test/support/emulator.ts';
import { drivenUpstream } from '../../apps/demo-driver/test/support/driver.ts';
import { testMock } from '../../apps/mock/test/support/mock.ts';

/** An unknown path. Every program has an HTML page for it. */
const missing = '/nothing-is-here';
const pages = [
  missing,
  '/docs',
  '/docs/style.css',
  '/openapi.json',
  ...Object.keys(problemKinds).map((kind) => `/problems/${kind}`),
];

/** The paths under which the files of a folder are served. */
function filesOf(folder: string, path: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(0);
  return files.map(({ name, parentPath }) => path + relative(folder, join(parentPath, name)));
}

function folderOf(app: string): string {
  return fileURLToPath(new URL(`../../apps/${app}`, import.meta.url));
}

const programs: readonly (readonly [string, () => string[], () => Promise<string>])[] = [
  [
    'service',
    () => filesOf(folderOf('dashboard/dist'), '/'),
    async () =>
      (await testService({ databaseUrl: (await testDatabase()).url, config: { dashboardDir: builtDashboard } })).url,
  ],
  [
    'driver',
    () => filesOf(folderOf('demo-driver/panel/dist'), '/demo/'),
    async () => (await drivenUpstream()).driver.url,
  ],
  ['mock', () => filesOf(folderOf('mock/panel/dist'), '/'), async () => (await testMock()).url],
  ['CI emulator', () => filesOf(folderOf('ci-emulator/panel/dist'), '/_ci/'), async () => (await testEmulator()).url],
];

describe.each(programs)('the content that the %s sends to browsers', (program, files, start) => {
  // Like GitHub, the emulator responds to unknown paths with JSON.
  const missingType = program === 'CI emulator' ? 'application/json' : 'text/html';

  test('contains no key, except the development default in the first example', async () => {
    const url = await start();
    for (const path of [...files(), ...pages]) {
      const response = await fetch(url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      const text = await response.text();
      expect([path, response.status]).toEqual([path, path === missing ? 404 : 200]);
      if (path === missing) expect(response.headers.get('content-type')).toBe(`${missingType}; charset=utf-8`);
      // If the log is empty, the dashboard shows a command that has the documented ingest key as its default.
      const isNamed = program === 'service' && path.startsWith('/assets/');
      const refused = isNamed ? [developmentKeys.control] : Object.values(developmentKeys);
      for (const key of [...refused, ...Object.values(testKeys)]) {
        expect(text.includes(key), `${key} in ${path}`).toBe(false);
      }
      // In commands, the key must be a shell variable.
      for (const [, value] of text.matchAll(/X-(?:Control-API|Api)-Key: ([^\s"'`<\\&]+)/gi)) {
        expect([path, value]).toEqual([path, expect.stringMatching(/^\$((CONTROL_)?API_KEY$|\{API_KEY:-)/)]);
      }
    }
  });
});
