import { settingsFaults } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';

type Environment = Readonly<Record<string, string>>;
const keys = { API_KEY: 'a-secret-of-pipelines', CONTROL_API_KEY: 'a-secret-of-operators' };
const proxy = {
  ...keys,
  READERS: 'proxy',
  PUBLIC_URL: 'https://shiplog.example',
  READER_HEADER: 'X-Forwarded-Email',
  READER_PROXIES: '10.0.0.0/8',
};
const oidc = {
  ...keys,
  READERS: 'oidc',
  PUBLIC_URL: 'https://tools.example/shiplog/',
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'shiplog',
  OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
};

const faultsOf = (environment: Environment) => settingsFaults(() => readConfig(environment));

test('each value of READERS requires its settings', () => {
  expect(faultsOf(proxy)).toEqual([]);
  expect(faultsOf(oidc)).toEqual([]);
  expect(readConfig(oidc)).toMatchObject({
    publicUrl: 'https://tools.example/shiplog',
    sessionHours: 12,
    oidcScopes: 'openid email profile',
  });
  for (const [environment, names] of [
    [proxy, ['PUBLIC_URL', 'READER_HEADER', 'READER_PROXIES']],
    [oidc, ['PUBLIC_URL', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']],
  ] as const) {
    for (const name of names) {
      const without = Object.fromEntries(Object.entries(environment).filter(([other]) => other !== name));
      expect(faultsOf(without)).toEqual([`READERS is ${environment.READERS}, which also needs ${name}.`]);
    }
  }
});

test.each([
  ['READERS', 'closed'],
  ['PUBLIC_URL', 'http://shiplog.example'],
  ['PUBLIC_URL', 'https://shiplog.example/?a=1'],
  ['READER_HEADER', 'X Forwarded'],
  ['READER_PROXIES', 'proxy-1'],
  ['OIDC_ISSUER', 'ftp://id.example'],
  ['SESSION_HOURS', '0.004'],
  ['SESSION_HOURS', '721'],
  ['BADGES', 'on'],
])('%s=%s prevents the start', (name, value) => {
  const [fault = ''] = faultsOf({ ...oidc, [name]: value });
  expect(fault).toMatch(new RegExp(`^${name} is `));
});

test('with an access file, API_KEY may be unset, but not CONTROL_API_KEY', () => {
  const file = { ACCESS_FILE: 'access.yaml', HOST: '0.0.0.0' };
  expect(readConfig({ ...file, CONTROL_API_KEY: 'a-secret-of-operators' }).keys.api).toEqual([]);
  expect(faultsOf({ ...file, API_KEY: 'a-secret-of-pipelines' })).toEqual([
    expect.stringMatching(/^CONTROL_API_KEY is not set/),
  ]);
});
