import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoPrograms, readConfig } from '../src/index.ts';

const secrets = {
  github: 'secret-of-github',
  gitlab: 'secret-of-gitlab',
  pagerduty: 'secret-of-github',
  alertmanager: 'secret-of-github',
};

/** The programs for an environment with their settings, as in a demo where all are ready. */
function programsWith(environment: Readonly<Record<string, string>> = {}) {
  const urls = new Map<string, string>();
  return demoPrograms(readConfig(environment), secrets).map((program) => {
    const settings: Readonly<Record<string, string>> = program.settings({ folder: '/demo', urls });
    urls.set(program.name, `http://${program.name}`);
    return { ...program, settings };
  });
}

test('service, emulator, fetcher and driver start in this order, each on the port of its variable', () => {
  const environment = { PORT: '1', EMULATOR_PORT: '2', FETCHER_PORT: '3', DRIVER_PORT: '4' };
  expect(programsWith(environment).map(({ name, port, portVariable }) => [name, port, portVariable])).toEqual([
    ['service', 1, 'PORT'],
    ['emulator', 2, 'EMULATOR_PORT'],
    ['fetcher', 3, 'FETCHER_PORT'],
    ['driver', 4, 'DRIVER_PORT'],
  ]);
});

test('each program gets the addresses that it calls, and resets wait for driver and fetcher', () => {
  const [service, , fetcher, driver] = programsWith().map(({ settings }) => settings);
  expect(service?.RESET_EXPECTED_COMPONENTS).toBe('demo-driver,dashboard-fetcher');
  expect(fetcher).toMatchObject({
    DASHBOARD_API_BASE_URL: 'http://service',
    GITHUB_BASE_URL: 'http://emulator',
    GITLAB_BASE_URL: 'http://emulator',
    GITHUB_REPOS: 'demo-org/*',
    GITLAB_PROJECTS: 'demo-group/*',
    POLL_INTERVAL_SECONDS: '5',
    GITHUB_VERSION_SOURCE: 'payload:version',
    GITHUB_WEBHOOK_SECRET: secrets.github,
    GITLAB_WEBHOOK_TOKEN: secrets.gitlab,
  });
  expect(existsSync(fetcher?.FETCHER_CONFIG ?? '')).toBe(true);
  expect(driver).toEqual({
    WRITE_API_URL: 'http://service',
    CI_EMULATOR_URL: 'http://emulator',
    FETCHER_URL: 'http://fetcher',
  });
});

test('the service starts with an access file in which the shared key may do everything', () => {
  const [service] = programsWith();
  expect(service?.settings.ACCESS_FILE).toBe('/demo/access.yaml');
  expect(service?.files).toEqual({ 'access.yaml': 'shared_key: on\n' });
});

test('with the large dataset, the service has its promotion order', () => {
  const [service] = programsWith({ DEMO_DATASET: 'large' }).map(({ settings }) => settings);
  expect(service?.ANALYTICS_FUNNEL_ENVIRONMENTS).toBe('dev,test=test|qa-*,staging=staging|uat-*,production=prod-*|dr');
});

test("DEMO_FETCHER=off omits emulator and fetcher, and resets don't wait for them", () => {
  const programs = programsWith({ DEMO_FETCHER: 'off' });
  expect(programs.map(({ name }) => name)).toEqual(['service', 'driver']);
  const [service, driver] = programs.map(({ settings }) => settings);
  expect(service?.RESET_EXPECTED_COMPONENTS).toBe('demo-driver');
  expect(service).not.toHaveProperty('ACCESS_FILE');
  expect(driver).toEqual({ WRITE_API_URL: 'http://service' });
});
