import { createClient } from '@shiplog/client';
import { driverPanelPath } from '@shiplog/companions';
import { streams } from '@shiplog/contract';
import { fill } from './fill.ts';
import { driverName, serviceName } from './programs.ts';
import type { Screen } from './screen.ts';

/** Fills the log and lists the pages to open. */
export async function giveTour(
  { urls, folder, screen }: { urls: ReadonlyMap<string, string>; folder: string; screen: Screen },
  signal: AbortSignal,
): Promise<void> {
  const service = urls.get(serviceName) ?? '';
  const driver = urls.get(driverName) ?? '';
  await fill(driver, screen, signal);
  const { body: matrix } = await createClient({ baseUrl: service }).getMatrix({ signal });
  const pages: readonly (readonly [string, string])[] = [
    ['Board', `${service}/`],
    ['Panel', `${driver}${driverPanelPath}`],
    ['Live stream', `${service}${streams.deployments.path}`],
    ['API', `${service}/docs`],
  ];
  screen.line(
    [
      '',
      `Shiplog is up with ${matrix.rows.length} services in ${matrix.environments.length} environments.`,
      '',
      ...pages.map(([name, url]) => `  ${name.padEnd(12)} ${url}`),
      '',
      `The data lies in ${folder} and goes with the demo. Ctrl-C ends everything.`,
      '',
    ].join('\n'),
  );
}
