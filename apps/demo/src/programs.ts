import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { driverComponentId, fetcherLimits } from '@shiplog/companions';
import { largeStages } from '@shiplog/scenarios';
import { accessFileName, firstAccessFile } from './access-file.ts';
import { type DemoConfig, settings as own } from './config.ts';
import type { HookSecrets } from './hook-secrets.ts';

/** A program that the demo starts. */
export interface Program {
  /** The display name. */
  readonly name: string;
  /** The file that Node runs. */
  readonly main: string;
  readonly port: number;
  /** The variable that sets the port, shown in the error if the port is in use. */
  readonly portVariable: string;
  /** The program's settings; `urls` has the ready programs by name. */
  readonly settings: (known: {
    readonly folder: string;
    readonly urls: ReadonlyMap<string, string>;
  }) => Readonly<Record<string, string>>;
  /** Files in the demo's folder that the program reads at its start, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

export const serviceName = 'service';
export const emulatorName = 'emulator';
export const fetcherName = 'fetcher';
export const driverName = 'driver';

/**
 * The programs in start order; they stop in the reverse order. No keys are set: all programs use the same development
 * keys, which are valid only on loopback.
 */
export function demoPrograms(config: DemoConfig, secrets: HookSecrets): readonly Program[] {
  const isFetching = config.fetcher === 'on';
  const components = isFetching ? [driverComponentId, fetcherLimits.componentId] : [driverComponentId];
  return [
    serviceProgram(config, components),
    ...(isFetching ? [emulatorProgram(config.emulatorPort), fetcherProgram(config.fetcherPort, secrets)] : []),
    driverProgram(config.driverPort),
  ];
}

function serviceProgram({ port, dataset, fetcher }: DemoConfig, components: readonly string[]): Program {
  return {
    name: serviceName,
    main: mainOf('service'),
    port,
    portVariable: own.port.variable,
    ...(fetcher === 'on' && { files: { [accessFileName]: firstAccessFile } }),
    settings: ({ folder }) => ({
      DATA_DIR: join(folder, 'data'),
      ...(fetcher === 'on' && { ACCESS_FILE: join(folder, accessFileName) }),
      CATALOG_FILE: demoFile('catalog.yaml'),
      // With a window of whole days, analytics would omit today's demo events until midnight.
      ANALYTICS_WINDOW_GRANULARITY: 'hour',
      // Some services run in two regions, and one has an environment for each customer who tests it.
      ANALYTICS_FUNNEL_ENVIRONMENTS: 'dev,staging,qa=qa|uat-*,preprod,prod=prod|prod-*',
      // A reset would wait for missing components until its timeout.
      RESET_EXPECTED_COMPONENTS: components.join(','),
      ...(dataset === 'large' ? { ANALYTICS_FUNNEL_ENVIRONMENTS: largeStages } : {}),
    }),
  };
}

/** The emulator starts with the dataset `demo`, whose newest event happens at the time of the start. */
function emulatorProgram(port: number): Program {
  return {
    name: emulatorName,
    main: mainOf('ci-emulator'),
    port,
    portVariable: own.emulatorPort.variable,
    settings: () => ({
      // A deployment costs the fetcher about ten requests. With these two settings the demo can run all day within the
      // quota.
      EMIT_INTERVAL_MS: '15000',
      GITHUB_SIM_RATE_LIMIT: '15000',
    }),
  };
}

function fetcherProgram(port: number, secrets: HookSecrets): Program {
  return {
    name: fetcherName,
    main: mainOf('fetcher'),
    port,
    portVariable: own.fetcherPort.variable,
    settings: ({ urls }) => ({
      DASHBOARD_API_BASE_URL: urls.get(serviceName) ?? '',
      GITHUB_BASE_URL: urls.get(emulatorName) ?? '',
      GITLAB_BASE_URL: urls.get(emulatorName) ?? '',
      // The emulator accepts any token; without one it applies GitHub's low rate limit.
      GITHUB_TOKEN: 'demo',
      GITLAB_TOKEN: 'demo',
      GITHUB_REPOS: 'demo-org/*',
      GITLAB_PROJECTS: 'demo-group/*',
      GITHUB_VERSION_SOURCE: 'payload:version',
      GITHUB_WEBHOOK_SECRET: secrets.github,
      GITLAB_WEBHOOK_TOKEN: secrets.gitlab,
      PAGERDUTY_SECRET: secrets.pagerduty,
      ALERTS_PASSWORD: secrets.alertmanager,
      FETCHER_CONFIG: demoFile('fetcher.yaml'),
      POLL_INTERVAL_SECONDS: '5',
      // The default of a minute would be too long to wait for the demo's history.
      CI_MAX_REQUESTS_PER_MINUTE: String(fetcherLimits.maxRequestsPerMinuteMax),
    }),
  };
}

function driverProgram(port: number): Program {
  return {
    name: driverName,
    main: mainOf('demo-driver'),
    port,
    portVariable: own.driverPort.variable,
    settings: ({ urls }) => ({
      WRITE_API_URL: urls.get(serviceName) ?? '',
      ...of(urls.get(emulatorName), 'CI_EMULATOR_URL'),
      ...of(urls.get(fetcherName), 'FETCHER_URL'),
    }),
  };
}

/** The variable with a program's address, if the program is part of the demo. */
function of(url: string | undefined, variable: string): Readonly<Record<string, string>> {
  return url === undefined ? {} : { [variable]: url };
}

function demoFile(name: string): string {
  return fileURLToPath(new URL(`../../../demo/${name}`, import.meta.url));
}

/** The built main file of an app. The path is the same from `src` and from `dist`. */
function mainOf(app: string): string {
  return fileURLToPath(new URL(`../../${app}/dist/main.js`, import.meta.url));
}
