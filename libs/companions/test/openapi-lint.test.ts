import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endpoints, openApiDocument, type ServedEndpoints } from '@shiplog/contract';
import { expect, onTestFinished, test } from 'vitest';
import {
  companionParts,
  driverEndpoints,
  emulatorEndpoints,
  fetcherEndpoints,
  mockApplicationEndpoints,
  mockEndpoints,
  relayEndpoints,
} from '../src/index.ts';

const redocly = join(import.meta.dirname, '../../../node_modules/.bin/redocly');

test.each<[string, ServedEndpoints]>([
  ['service', endpoints],
  ['mock', { ...mockApplicationEndpoints, ...mockEndpoints }],
  ['driver', driverEndpoints],
  ['CI emulator', emulatorEndpoints],
  ['fetcher', fetcherEndpoints],
  ['relay', relayEndpoints],
])('an OpenAPI linter finds no problem in the document of the %s', async (_, served) => {
  const folder = await mkdtemp(join(tmpdir(), 'shiplog-openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = openApiDocument({ served, problemBase: '/problems', ...companionParts });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  const { stdout } = await promisify(execFile)(redocly, ['lint', 'openapi.json', '--format', 'json'], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  expect((JSON.parse(stdout) as { problems: unknown[] }).problems).toEqual([]);
});
