import { createClient } from '@shiplog/client';
import { driverPanelPath, emulatorPanelPath } from '@shiplog/companions';
import { streams } from '@shiplog/contract';
import type { DemoConfig } from './config.ts';
import { addWebhooks, awaitFetched, emit, type Fetching } from './fetching.ts';
import { fill, fillLarge } from './fill.ts';
import type { HookSecrets } from './hook-secrets.ts';
import { postKeyless } from './keyless.ts';
import { postOperations } from './operations.ts';
import { driverName, emulatorName, fetcherName, serviceName } from './programs.ts';
import type { Screen } from './screen.ts';

export interface Tour {
  /** The addresses of ready programs by name. */
  readonly urls: ReadonlyMap<string, string>;
  readonly folder: string;
  readonly screen: Screen;
  readonly secrets: HookSecrets;
  readonly dataset: DemoConfig['dataset'];
}

/** Fills the log, lists the pages to open, and starts new deployments. */
export async function giveTour({ urls, folder, screen, secrets, dataset }: Tour, signal: AbortSignal): Promise<void> {
  const service = urls.get(serviceName) ?? '';
  const driver = urls.get(driverName) ?? '';
  const fetching = fetchingOf(urls, signal);
  if (fetching) await addWebhooks(fetching, secrets);
  if (dataset === 'large') await fillLarge(service, screen, signal);
  else {
    await fill(driver, screen, signal);
    await postOperations(service, screen, signal);
  }
  if (fetching) await awaitFetched(fetching, screen);
  // The large dataset has other names.
  if (fetching && dataset === 'demo')
    await postKeyless({ service, emulator: fetching.emulator, folder, signal }, screen);
  const { body: matrix } = await createClient({ baseUrl: service }).getMatrix({ signal });
  const emission = fetching && (await emit(fetching));
  const pages: readonly (readonly [string, string])[] = [
    ['Board', `${service}/`],
    ['Panel', `${driver}${driverPanelPath}`],
    ...(fetching ? ([['CI emulator', `${fetching.emulator}${emulatorPanelPath}`]] as const) : []),
    ['Live stream', `${service}${streams.deployments.path}`],
    ['API', `${service}/docs`],
  ];
  screen.line(
    [
      '',
      `Shiplog is up with ${matrix.rows.length} services in ${matrix.environments.length} environments.`,
      ...(emission
        ? [`The CI emulator deploys every ${emission.interval_ms / 1000} s; the panel can turn this off.`]
        : []),
      '',
      ...pages.map(([name, url]) => `  ${name.padEnd(12)} ${url}`),
      '',
      `The data is in ${folder} and is deleted when the demo ends. Press Ctrl-C to stop.`,
      '',
    ].join('\n'),
  );
}

/** `undefined` without the fetcher. */
function fetchingOf(urls: ReadonlyMap<string, string>, signal: AbortSignal): Fetching | undefined {
  const emulator = urls.get(emulatorName);
  const fetcher = urls.get(fetcherName);
  return emulator === undefined || fetcher === undefined ? undefined : { emulator, fetcher, signal };
}
