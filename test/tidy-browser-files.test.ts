import {
  driverEndpoints,
  driverPanelPath,
  emulatorEndpoints,
  emulatorPanelPath,
  mockEndpoints,
} from '@shiplog/companions';
import { channels, endpoints, headerNames, keyHeaders, responseHeaders } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { codeOf, readFiles } from './repository.ts';

const cssLinesMax = 300;

/** The module with the panels' paths. A separate test compares it with the contract. */
const pathsOfPanels = 'libs/panels/ui/paths.ts';

/**
 * Paths with several segments, relative to the root and to the pages of the driver and the emulator. Single words would
 * be ambiguous.
 */
const paths = Object.values({ ...endpoints, ...driverEndpoints, ...mockEndpoints, ...emulatorEndpoints })
  .flatMap(({ path }) => [
    path.slice(1),
    ...[driverPanelPath, emulatorPanelPath].flatMap((page) => (path.startsWith(page) ? [path.slice(page.length)] : [])),
  ])
  .map((path) => path.split('/'))
  .filter((parts) => parts.length > 1);
const names = [...channels, ...Object.values({ ...headerNames, ...keyHeaders }), ...Object.keys(responseHeaders)]
  .filter((name) => name.startsWith('X-') || name.includes('_'))
  .map((name) => name.toLowerCase());

/**
 * Whether a string in a script is a path, header or channel of the API. A placeholder in a template matches any part.
 */
function isOfTheWire(text: string): boolean {
  if (names.includes(text.toLowerCase())) return true;
  const [location = ''] = text.replace(/^\//, '').split(/[?#]/);
  const parts = location.replace(/\$\{[^}]*\}/g, '*').split('/');
  const fits = (path: readonly string[]) =>
    path.length === parts.length &&
    path.every((part, at) => part === parts[at] || part.startsWith('{') || (at > 0 && parts[at] === '*'));
  return paths.some(fits);
}

test('panel scripts contain no API paths, headers or channels; these belong in contract and companions', () => {
  const scripts = readFiles(['apps', 'libs'], /\/(?:panel|panels\/ui)\/[^/]+\.tsx?$/).filter(
    ({ path }) => path !== pathsOfPanels,
  );
  const copies = scripts.flatMap(({ path, text }) =>
    [...codeOf(text).matchAll(/'([^'\n]*)'|`([^`]*)`/g)]
      .map(([, plain, template]) => plain ?? template ?? '')
      .filter(isOfTheWire)
      .map((word) => `${path}: ${word}`),
  );
  expect(copies).toEqual([]);
});

test(`no style sheet is longer than ${cssLinesMax} lines`, () => {
  const sheets = readFiles(['apps', 'libs'], /\.css$/);
  const long = sheets
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > cssLinesMax);
  expect(long).toEqual([]);
});
