import {
  driverEndpoints,
  driverPanelPath,
  emulatorEndpoints,
  emulatorPanelPath,
  mockEndpoints,
} from '@shiplog/companions';
import { endpoints } from '@shiplog/contract';
import { expect, test } from 'vitest';

/** The paths are relative to the page, because a proxy may serve the page below another path. */
function relativePaths(table: Readonly<Record<string, { readonly path: string }>>, page: string): string {
  const lines = Object.entries(table).map(([name, { path }]) => `  ${name}: '${path.slice(page.length)}',\n`);
  return `{\n${lines.join('')}}`;
}

test('the paths in ui/paths.ts equal those of the contract (-u updates the file)', async () => {
  const { appendDeployment } = endpoints;
  const { getLiveness: _, ...ownEndpoints } = emulatorEndpoints;
  const text = `/* Written from the contract: npx vitest run libs/panels/test/paths.test.ts -u */
export const driverPaths = ${relativePaths(driverEndpoints, driverPanelPath)};
export const mockPaths = ${relativePaths({ ...mockEndpoints, appendDeployment }, '/')};
export const emulatorPaths = ${relativePaths(ownEndpoints, emulatorPanelPath)};
`;
  await expect(text).toMatchFileSnapshot('../ui/paths.ts');
});
