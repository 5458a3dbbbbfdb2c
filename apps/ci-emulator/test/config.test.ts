import { settingsFaults } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

type Environment = Readonly<Record<string, string>>;

test('by default the emulator listens on port 3100 of loopback, with the demo dataset and the real clock', () => {
  expect(readConfig({})).toEqual({
    port: 3100,
    host: '127.0.0.1',
    seedOnStartup: 'true',
    seedDataset: 'demo',
    seed: 1,
    clock: 'real',
    scenariosDir: '../../demo/data',
    emitIntervalMs: 8000,
    emitStepMs: 2000,
    githubRateLimit: 5000,
    githubSecondaryLimit: 900,
    gitlabRateLimit: 2000,
    requireToken: undefined,
    webhookHosts: '127.0.0.1,localhost,::1',
    requestLog: 1000,
    logLevel: 'info',
    problemBase: '/problems',
  });
});

test.each<[Environment, object]>([
  [{ SEED: '4294967295' }, { seed: 4_294_967_295 }],
  [{ CLOCK: 'virtual' }, { clock: 'virtual' }],
  [{ CLOCK: '2026-05-04T11:00:00+02:00' }, { clock: new Date('2026-05-04T09:00:00Z') }],
  [{ EMIT_STEP_MS: '0' }, { emitStepMs: 0 }],
  [{ GITHUB_SIM_RATE_LIMIT: '0' }, { githubRateLimit: 0 }],
  [{ WEBHOOK_HOSTS: 'CI.example.com' }, { webhookHosts: 'ci.example.com' }],
  [{ SEED_DATASET: 'my-set' }, { seedDataset: 'my-set' }],
])('the settings %j are accepted', (environment, expected) => {
  expect(readConfig(environment)).toMatchObject(expected);
});

test.each<[Environment, RegExp]>([
  [{ PORT: 'http' }, /^PORT is "http"; it must be an integer from 0 to 65535\.$/],
  [{ SEED_ON_STARTUP: 'yes' }, /^SEED_ON_STARTUP is "yes"; it must be one of true, false\.$/],
  [{ SEED_DATASET: '../demo-set' }, /^SEED_DATASET is "\.\.\/demo-set"; it must be demo, random, empty/],
  [{ SEED: '4294967296' }, /^SEED is "4294967296"; it must be an integer from 0 to 4294967295\.$/],
  [{ CLOCK: 'noon' }, /^CLOCK is "noon"; it must be real, virtual, or an instant/],
  [{ EMIT_INTERVAL_MS: '49' }, /^EMIT_INTERVAL_MS is "49"; it must be an integer from 50 to 3600000\.$/],
  [{ GITHUB_SIM_RATE_LIMIT: '1000001' }, /^GITHUB_SIM_RATE_LIMIT is "1000001"/],
  [{ GITHUB_SIM_SECONDARY_LIMIT: '-1' }, /^GITHUB_SIM_SECONDARY_LIMIT is "-1"/],
  [{ GITLAB_SIM_RATE_LIMIT: 'x' }, /^GITLAB_SIM_RATE_LIMIT is "x"/],
  [{ WEBHOOK_HOSTS: 'http://x' }, /^WEBHOOK_HOSTS is "http:\/\/x"; it must be hosts/],
  [{ REQUEST_LOG: '100001' }, /^REQUEST_LOG is "100001"/],
])('the settings %j are refused with one sentence', (environment, sentence) => {
  expect(settingsFaults(() => readConfig(environment))).toEqual([expect.stringMatching(sentence)]);
});
