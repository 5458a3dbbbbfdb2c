import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsFaults, testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

type Environment = Readonly<Record<string, string>>;

const github: Environment = { GITHUB_REPOS: 'acme/shop,acme/web-*' };
const token = 'ghp_not-a-real-token';

function faultsOf(environment: Environment): readonly string[] {
  return settingsFaults(() => readConfig(environment));
}

async function fileWith(text: string): Promise<Environment> {
  const path = join(await testFolder(), 'fetcher.yaml');
  writeFileSync(path, text);
  return { FETCHER_CONFIG: path };
}

test('a list of repositories is the only required setting', () => {
  const { sources, apiKey, controlApiKey, times, initialLookbackMs, ...config } = readConfig(github);
  const [source] = sources;
  expect(sources).toHaveLength(1);
  expect(source).toMatchObject({
    id: 'github-actions',
    idPrefix: '',
    baseUrl: 'https://api.github.com',
    token: undefined,
    places: ['acme/shop', 'acme/web-*'],
    budgetPercent: 30,
    quota: 0,
  });
  expect([apiKey, controlApiKey, initialLookbackMs]).toEqual(['dev-api-key', 'dev-control-key', 7 * 86_400_000]);
  expect(times).toEqual({
    watchMaxAgeMs: 35 * 86_400_000,
    backfillMaxAgeMs: 7 * 86_400_000,
    discoveryMs: 3_600_000,
    backfillDepth: 0,
  });
  expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', backfill: false, afterReset: 'backfill' });
});

test('the horizon of a backfill defaults to the initial lookback', () => {
  expect(readConfig({ ...github, INITIAL_LOOKBACK: '1.12:00:00' }).times.backfillMaxAgeMs).toBe(36 * 3_600_000);
  expect(readConfig({ ...github, BACKFILL_MAX_AGE: '90d' }).times.backfillMaxAgeMs).toBe(90 * 86_400_000);
});

describe('at least one source or webhook is required', () => {
  test('settings with neither repositories nor a webhook are refused', () => {
    expect(faultsOf({})).toEqual([
      "Nothing to fetch. Set GITHUB_REPOS or GITLAB_PROJECTS, a webhook's secret, or FETCHER_CONFIG.",
    ]);
  });

  test('issues need the webhook of a tool', async () => {
    const settings = { ...(await fileWith('version: 1\nissues: { label: incident }\n')), ...github };
    expect(faultsOf(settings)).toEqual([
      '"issues" needs a webhook that receives issues. Set the secret of /webhooks/github or /webhooks/gitlab.',
    ]);
    const { hooks } = readConfig({ ...settings, GITLAB_WEBHOOK_TOKEN: 'sixteen letters!' });
    expect(hooks.issues).toMatchObject({ label: 'incident', environments: [] });
  });

  test('a webhook alone is enough, and creates a source that is not polled', () => {
    const { sources, hooks } = readConfig({ GITHUB_WEBHOOK_SECRET: 'sixteen letters!' });
    expect(sources.map(({ id, places }) => [id, places])).toEqual([['github-actions', []]]);
    const open = hooks.tools.filter(({ webhook, values }) => webhook.guards(values, () => 0).length > 0);
    expect(open.map(({ webhook }) => webhook.name)).toEqual(['github']);
  });

  test('the webhook of a polled tool delivers to the polled source', () => {
    const { sources } = readConfig({ ...github, GITHUB_WEBHOOK_SECRET: 'sixteen letters!' });
    expect(sources.map(({ id, places }) => [id, places.length])).toEqual([['github-actions', 2]]);
  });
});

describe('development keys are the default only for a service on this machine', () => {
  test.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])('%s', (baseUrl) => {
    expect(readConfig({ ...github, DASHBOARD_API_BASE_URL: baseUrl }).apiKey).toBe('dev-api-key');
  });

  test('a service on another machine requires both keys', () => {
    expect(faultsOf({ ...github, DASHBOARD_API_BASE_URL: 'https://shiplog.acme.com' })).toEqual([
      "DASHBOARD_API_BASE_URL names shiplog.acme.com, which isn't this machine; set API_KEY to the service's API key.",
      "DASHBOARD_API_BASE_URL names shiplog.acme.com, which isn't this machine; set CONTROL_API_KEY to its control key, or to an empty value to skip resets.",
    ]);
  });

  test('an empty control key means that the fetcher does not take part in resets', () => {
    expect(readConfig({ ...github, CONTROL_API_KEY: '' }).controlApiKey).toBeUndefined();
  });

  test('access §9.10: a key of its own is sent in place of both keys, unless the control key is empty', () => {
    const own = { ...github, DASHBOARD_API_BASE_URL: 'https://shiplog.acme.com', COMPONENT_KEY: 'own' };
    const shared = { API_KEY: 'shared', CONTROL_API_KEY: 'of-operators' };
    for (const more of [{}, shared]) {
      expect(readConfig({ ...own, ...more })).toMatchObject({ apiKey: 'own', controlApiKey: 'own' });
    }
    expect(readConfig({ ...own, CONTROL_API_KEY: '' }).controlApiKey).toBeUndefined();
  });
});

describe('a token is never sent unencrypted', () => {
  test.each(['http://127.0.0.1:3100', 'http://localhost:3100', 'https://git.acme.com/api/v3'])('%s', (baseUrl) => {
    expect(readConfig({ ...github, GITHUB_BASE_URL: baseUrl }).sources[0]?.baseUrl).toBe(baseUrl);
  });

  const plain = { ...github, GITHUB_BASE_URL: 'http://git.acme.com/api/v3' };

  test('HTTP to another machine is refused', () => {
    expect(faultsOf(plain)).toEqual([
      "The base URL of github-actions is http://git.acme.com/api/v3, which doesn't use HTTPS. Use https, or add git.acme.com to CI_ALLOW_HTTP_HOSTS.",
    ]);
  });

  test('HTTP to an allowed host is accepted', () => {
    expect(readConfig({ ...plain, CI_ALLOW_HTTP_HOSTS: 'Git.acme.com' }).sources).toHaveLength(1);
  });
});

describe('sources of the configuration file', () => {
  const two = `version: 1
sources:
  - { adapter: github-actions, repos: [acme/*, "!acme/legacy-*"] }
  - { adapter: github-actions, id: ghes, id_prefix: g-, base_url: "https://git.acme.com/api/v3", token_env: GHES, repos: [pf/*] }
`;

  test('have their own base URL, token and prefix', async () => {
    const { sources } = readConfig({ ...(await fileWith(two)), GITHUB_TOKEN: token, GHES: 'the-other-token' });
    expect(
      sources.map(({ id, idPrefix, baseUrl, token: own, places }) => [id, idPrefix, baseUrl, own, places]),
    ).toEqual([
      ['github-actions', '', 'https://api.github.com', token, ['acme/*', '!acme/legacy-*']],
      ['ghes', 'g-', 'https://git.acme.com/api/v3', 'the-other-token', ['pf/*']],
    ]);
  });

  test("don't send the token of the environment to another base URL", async () => {
    const text = two.replace(' token_env: GHES,', '');
    const { sources } = readConfig({
      ...(await fileWith(text)),
      GITHUB_TOKEN: token,
      GITHUB_WEBHOOK_SECRET: 'sixteen letters!',
    });
    expect(sources.map(({ token: own, values }) => [own, values.token, values.webhookSecret])).toEqual([
      [token, token, 'sixteen letters!'],
      [undefined, undefined, undefined],
    ]);
  });

  test('require that a token variable that they name is set', async () => {
    expect(faultsOf(await fileWith(two))).toEqual(['FETCHER_CONFIG, line 4: GHES is not set. Set it to a token.']);
  });

  test("can't be combined with sources from environment variables", async () => {
    expect(faultsOf({ ...(await fileWith(two)), ...github, GHES: 'x' })).toEqual([
      'GITHUB_REPOS is set and FETCHER_CONFIG lists sources. Use one of them.',
    ]);
  });

  test('a file without sources keeps those from environment variables', async () => {
    const config = readConfig({ ...(await fileWith('version: 1\nenvironments: { production: prod }\n')), ...github });
    expect([config.sources.length, [...config.environments]]).toEqual([1, [['production', 'prod']]]);
  });
});

test('the secrets of webhooks in the file come from environment variables', async () => {
  const file = `version: 1
webhooks:
  - { name: cdevents, auth: { type: token, header: X-Token, secret_env: CD_TOKEN } }
`;
  const { hooks, sources } = readConfig({ ...(await fileWith(file)), CD_TOKEN: 'a-secret-of-cdevents' });
  expect([hooks.secretOf('CD_TOKEN'), hooks.entries.length, sources]).toEqual(['a-secret-of-cdevents', 1, []]);
});

describe('an invalid value stops the start with an error message', () => {
  test.each([
    ['POLL_INTERVAL_SECONDS', '0'],
    ['POLL_INTERVAL_SECONDS', '3601'],
    ['INITIAL_LOOKBACK', '59s'],
    ['INITIAL_LOOKBACK', '366d'],
    ['INITIAL_LOOKBACK', 'a week'],
    ['BACKFILL', 'yes'],
    ['BACKFILL_MAX_AGE', '0d'],
    ['BACKFILL_DEPTH', '501'],
    ['AFTER_RESET', 'later'],
    ['WATCH_MAX_AGE', '23h'],
    ['WATCH_MAX_AGE', '91d'],
    ['DISCOVERY_INTERVAL_SECONDS', '59'],
    ['CI_MAX_REQUESTS_PER_MINUTE', '9'],
    ['CI_MAX_REQUESTS_PER_MINUTE', '801'],
    ['RESET_GATE_MAX_TTL_MS', '999'],
    ['GITHUB_REPOS', 'acme'],
    ['GITHUB_BASE_URL', 'ftp://git.acme.com'],
    ['GITHUB_BASE_URL', 'https://user:word@git.acme.com'],
    ['GITHUB_RATE_LIMIT_BUDGET_PCT', '101'],
    ['GITLAB_PROJECTS', '*'],
    ['COMPONENT_ID', 'Fetcher'],
    ['CI_ALLOW_HTTP_HOSTS', 'a b'],
  ])('in %s=%s', (variable, text) => {
    const [fault = '', ...more] = faultsOf({ ...github, [variable]: text });
    expect([fault.startsWith(`${variable} is "`), more]).toEqual([true, []]);
    expect(fault).not.toContain('word');
  });

  test.each(['GITHUB_TOKEN', 'GITHUB_WEBHOOK_SECRET', 'GITLAB_WEBHOOK_TOKEN'])(
    'no error message repeats %s',
    (variable) => {
      expect(faultsOf({ ...github, [variable]: 'a b\n' })).toEqual([
        expect.stringMatching(new RegExp(`^${variable} is not acceptable; it must be `)),
      ]);
    },
  );
});

describe('the secret of a webhook in the file', () => {
  const hook = 'version: 1\nwebhooks: [{ name: cdevents, auth: { type: standard-webhooks, secret_env: HOOK_KEY } }]\n';

  test.each([
    [
      'not set',
      undefined,
      'HOOK_KEY is not set. The webhook "cdevents" needs a secret of at least 16 characters in it.',
    ],
    ['short', 'brief', 'HOOK_KEY is too short. The webhook "cdevents" needs a secret of at least 16 characters in it.'],
    [
      'invalid base64',
      'whsec_not base64 at all',
      expect.stringMatching(/^HOOK_KEY is not acceptable; it must be a signing token/),
    ],
  ])("that is %s is refused, and the error message doesn't repeat it", async (_, value, sentence) => {
    const faults = faultsOf({ ...(await fileWith(hook)), ...(value !== undefined && { HOOK_KEY: value }) });
    expect(faults).toEqual([sentence]);
    if (value) expect(faults.join()).not.toContain(value);
  });

  test('refuses an invalid GitLab signing token', () => {
    expect(faultsOf({ GITLAB_WEBHOOK_SIGNING_TOKEN: 'whsec_???????????' })).toEqual([
      expect.stringMatching(/^GITLAB_WEBHOOK_SIGNING_TOKEN is not acceptable; it must be a signing token/),
    ]);
  });
});
