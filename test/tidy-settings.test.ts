import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { developmentKeys, type SettingsRecord } from '@shiplog/server';
import { expect, test } from 'vitest';
import { settings as emulator } from '../apps/ci-emulator/src/config.ts';
import { settings as demo } from '../apps/demo/src/config.ts';
import { settings as driver } from '../apps/demo-driver/src/config.ts';
import { settings as fetcher } from '../apps/fetcher/src/config.ts';
import { settings as mock } from '../apps/mock/src/config.ts';
import { settings as relay } from '../apps/relay/src/config.ts';
import { settings as service } from '../apps/service/src/config.ts';
import { root } from './repository.ts';

/** Every variable of a program with its default, in the format of the tables. */
function variablesOf(settings: SettingsRecord): Record<string, string> {
  const defaults: Record<string, unknown> = {
    API_KEY: developmentKeys.api,
    CONTROL_API_KEY: developmentKeys.control,
  };
  const rows = Object.values(settings).flatMap(({ variable, fallback = defaults[variable], secret }) => [
    [variable, written(fallback)],
    ...(secret ? [[`${variable}_FILE`, 'unset']] : []),
  ]);
  return Object.fromEntries(rows);
}

function written(fallback: unknown): string {
  if (fallback === undefined) return 'unset';
  // The stages of the promotion order are written by their names.
  const text = Array.isArray(fallback) ? fallback.map((each) => each.name ?? each) : fallback;
  return text === '' ? 'empty' : `\`${text}\``;
}

/** The variables in the table of a section, with their defaults. */
function documented(path: string, heading: string): Record<string, string> {
  const [, section = ''] = readFileSync(join(root, path), 'utf8').split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = [...own.matchAll(/^\| (`.*?) \| (.*?) \|/gm)].flatMap(([, names = '', fallback = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, fallback] as const),
  );
  return Object.fromEntries(rows);
}

test.each([
  ['The service', service],
  ['The demo driver', driver],
  ['The mock', mock],
  ['The CI emulator', emulator],
  ['The fetcher', fetcher],
  ['The relay', relay],
  ['The demo', demo],
])('%s: docs/settings.md lists exactly the settings of the program, with their defaults', (heading, settings) => {
  expect(documented('docs/settings.md', heading)).toEqual(variablesOf(settings));
});

test("the README has the service's actual defaults", () => {
  const listed = documented('README.md', 'Settings');
  expect(listed).not.toEqual({});
  expect(variablesOf(service)).toMatchObject(listed);
});
