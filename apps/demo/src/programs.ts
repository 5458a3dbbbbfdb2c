import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { driverComponentId } from '@shiplog/companions';
import type { DemoConfig } from './config.ts';

/** One program that the demo starts. */
export interface Program {
  /** The name for people. */
  readonly name: string;
  /** The file that Node runs. */
  readonly main: string;
  readonly port: number;
  /** The variable that sets the port, for the message when it is taken. */
  readonly portVariable: string;
  /** Its settings; `urls` holds the programs that are ready, by name. */
  readonly settings: (known: {
    readonly folder: string;
    readonly urls: ReadonlyMap<string, string>;
  }) => Readonly<Record<string, string>>;
}

export const serviceName = 'service';
export const driverName = 'driver';

/**
 * The programs in the order of their start; they stop in the reverse order. No keys are set: all programs use the same
 * development keys, which are valid on loopback only.
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
        // With a window of whole days, today's events of the demo would be missing in the analytics until midnight.
        ANALYTICS_WINDOW_GRANULARITY: 'hour',
        // A reset would wait for components that are not part of the demo until its time is over.
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

/** The built main file of an app. The path is the same from `src` and from `dist`. */
function mainOf(app: string): string {
  return fileURLToPath(new URL(`../../${app}/dist/main.js`, import.meta.url));
}
