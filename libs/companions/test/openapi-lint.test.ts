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

const documents: Readonly<Record<string, ServedEndpoints>> = {
  service: endpoints,
  mock: { ...mockApplicationEndpoints, ...mockEndpoints },
  driver: driverEndpoints,
  'CI emulator': emulatorEndpoints,
  fetcher: fetcherEndpoints,
  relay: relayEndpoints,
};

test("an OpenAPI linter reports no problems in any program's document", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shiplog-openapi-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = Object.entries(documents).map(async ([name, served]) => {
    const document = openApiDocument({ served, problemBase: '/problems', ...companionParts });
    await writeFile(join(folder, `${name}.json`), JSON.stringify(document));
    return `${name}.json`;
  });
  const { stdout } = await promisify(execFile)(redocly, ['lint', ...(await Promise.all(files)), '--format', 'json'], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  // The output consists of several JSON documents.
  const answers = stdout.split(/(?<=^\})/m).filter((text) => text.trim() !== '');
  const problems = answers.map((text) => (JSON.parse(text) as { problems: unknown[] }).problems);
  expect(problems).toEqual(Object.keys(documents).map(() => []));
});
