import {
  driverEndpoints,
  driverPanelPath,
  emulatorEndpoints,
  emulatorPanelPath,
  mockEndpoints,
} from '@shiplog/companions';
import { endpoints } from '@shiplog/contract';
import { expect, test } from 'vitest';

/** Paths relative to the page, so that a proxy may have put a path before it. */
function relativePaths(table: Readonly<Record<string, { readonly path: string }>>, page: string): string {
  const lines = Object.entries(table).map(([name, { path }]) => `  ${name}: '${path.slice(page.length)}',\n`);
  return `{\n${lines.join('')}}`;
}

test('the panels call the paths of the contract (-u writes the file)', async () => {
  const { appendDeployment } = endpoints;
  const { getLiveness: _, ...ownEndpoints } = emulatorEndpoints;
  const text = `/* Written from the contract: npx vitest run libs/panels/test/paths.test.ts -u */
export const driverPaths = ${relativePaths(driverEndpoints, driverPanelPath)};
export const mockPaths = ${relativePaths({ ...mockEndpoints, appendDeployment }, '/')};
export const emulatorPaths = ${relativePaths(ownEndpoints, emulatorPanelPath)};
`;
  await expect(text).toMatchFileSnapshot('../ui/paths.ts');
});
