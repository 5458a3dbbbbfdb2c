import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { driverComponentId } from '@shiplog/companions';
import type { DemoConfig } from './config.ts';

/** One program that the demo starts. */
export interface Program {
  /** What a person calls it. */
  readonly name: string;
  /** The file that Node runs. */
  readonly main: string;
  readonly port: number;
  /** What sets that port, for the sentence about one that is taken. */
  readonly portVariable: string;
  /** Its settings; `urls` has the programs that are ready by their names. */
  readonly settings: (known: {
    readonly folder: string;
    readonly urls: ReadonlyMap<string, string>;
  }) => Readonly<Record<string, string>>;
}

export const serviceName = 'service';
export const driverName = 'driver';

/**
 * The programs in the order of their start; they stop the other way round. Keys are left unset: all of them fall back
 * to the same development keys, which hold on loopback only.
 */
export function demoPrograms(config: DemoConfig): readonly Program[] {
  return [
    {
      name: serviceName,
      main: mainOf('service'),
      port: config.port,
      portVariable: 'PORT',
      settings: ({ folder }) => ({
        DATA_DIR: join(folder, 'data'),
        // With whole days, what the demo posts would enter the analytics at midnight only.
        ANALYTICS_WINDOW_GRANULARITY: 'hour',
        // A reset would wait its whole time for components that are not part of the demo.
        RESET_EXPECTED_COMPONENTS: driverComponentId,
      }),
    },
    {
      name: driverName,
      main: mainOf('demo-driver'),
      port: config.driverPort,
      portVariable: 'DRIVER_PORT',
      settings: ({ urls }) => ({ WRITE_API_URL: urls.get(serviceName) ?? '' }),
    },
  ];
}

/** What the build made of an app; its neighbour, seen from the sources as from what is built of them. */
function mainOf(app: string): string {
  return fileURLToPath(new URL(`../../${app}/dist/main.js`, import.meta.url));
}
