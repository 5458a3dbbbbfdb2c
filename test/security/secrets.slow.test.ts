import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anEvent,
  connections,
  exchange,
  filledPath,
  secretMark as mark,
  NetworkProxy,
  ProgramProcess,
  servedOperations,
  testDatabase,
  testFolder,
  testKeys,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';

// `testing/secrets-setup.ts` searches everything that tests read from programs for secrets; this file provokes every
// response and log line that could reveal one.
const nextKeys = { api: `${mark}pipelines-next`, control: `${mark}operators-next` } as const;
const keys = { API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control, LOG_LEVEL: 'trace', PORT: '0' };

/** Headers with valid and invalid keys in all likely positions. */
const keyHeaders: readonly (readonly (readonly [string, string])[])[] = [
  [],
  ...[testKeys.api, testKeys.control, nextKeys.api, `${testKeys.api}x`, testKeys.control.toUpperCase()].map((key) => [
    ['X-Api-Key', key] as const,
    ['X-Control-API-Key', key] as const,
    ['X-Component-Id', key] as const,
    ['X-Correlation-Id', key] as const,
  ]),
  [
    ['X-Api-Key', testKeys.api],
    ['Authorization', `Bearer ${testKeys.api}`],
    ['Cookie', `key=${testKeys.control}`],
    ['If-None-Match', `"${testKeys.api}"`],
    ['Last-Event-ID', testKeys.control],
    ['X-Progress-Reporter', `${testKeys.api} `],
    ['Expect', testKeys.api],
    ['Origin', `http://${testKeys.api}.example`],
  ],
];

/** Invalid bodies, some of which contain a key. */
const bodies = [
  '',
  '{',
  `{"service":"${testKeys.api}"}`,
  `"${testKeys.control}"`,
  JSON.stringify(anEvent({ sha: '\0' })),
];

/** Sends every call of a program with each of these headers and bodies. Returns the text of all responses. */
async function answersOf(url: string): Promise<string[]> {
  const agent = connections();
  const query = `?x-api-key=${testKeys.api}&api_key=${testKeys.control}&limit=${testKeys.api}`;
  const answers: string[] = [];
  const operations = await servedOperations(url);
  const pages = ['/docs', '/openapi.json', '/metrics', '/problems/unauthorized', '/demo/', '/nope'];
  const calls = [
    ...operations.map(({ method, path }) => ({ method, path: filledPath(path) })),
    ...pages.map((path) => ({ method: 'GET', path })),
    ...pages.map((path) => ({ method: 'DELETE', path })),
  ];
  for (const { method, path } of calls) {
    for (const headers of keyHeaders) {
      const sent = method === 'GET' ? [undefined] : bodies.map((body) => Buffer.from(body));
      const all = await Promise.all(
        sent.map((body) => exchange(url, { method, path: `${path}${query}`, headers, body }, agent)),
      );
      answers.push(...all.map((answer) => JSON.stringify(answer.headers) + answer.text));
    }
  }
  agent.destroy();
  return answers;
}

test('no program reveals a key or the database password in any response', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const databaseUrl = new URL(proxy.url);
  databaseUrl.password = `${mark}database`;
  const nextKey = join(await testFolder(), 'next');
  await writeFile(nextKey, `${nextKeys.api}\n`);
  const service = ProgramProcess.spawn('service', {
    ...keys,
    DATABASE_URL: databaseUrl.href,
    API_KEY_NEXT_FILE: nextKey,
    CONTROL_API_KEY_NEXT: nextKeys.control,
    RESET_ACK_TIMEOUT_SECONDS: '0',
  });
  const mock = ProgramProcess.spawn('mock', { ...keys, API_KEY_NEXT: nextKeys.api });
  const serviceUrl = await service.ready();
  const neighbours = { WRITE_API_URL: serviceUrl, CI_EMULATOR_URL: serviceUrl, FETCHER_URL: serviceUrl };
  const driver = ProgramProcess.spawn('demo-driver', { ...keys, ...neighbours });
  const driverUrl = await driver.ready();
  const answers = (await Promise.all([serviceUrl, await mock.ready(), driverUrl].map(answersOf))).flat();
  // Repeat while the programs' dependencies are down, because the programs log such failures.
  proxy.way = 'refused';
  await until(async () => (await fetch(`${serviceUrl}/readyz`)).status === 503);
  answers.push(...(await answersOf(serviceUrl)));
  await service.terminate();
  answers.push(...(await answersOf(driverUrl)));
  expect(answers.length).toBeGreaterThan(1000);
  expect(answers.filter((answer) => answer.toLowerCase().includes(mark))).toEqual([]);
  for (const program of [service, mock, driver]) {
    await program.terminate();
    expect(program.output).not.toBe('');
    expect(program.output.toLowerCase()).not.toContain(mark);
  }
});

test('neither the fetcher nor the CI emulator reveals a token, a key or a webhook secret in any response', async () => {
  const emulator = ProgramProcess.spawn('ci-emulator', {
    ...{ PORT: '0', LOG_LEVEL: 'trace', REQUIRE_TOKEN: `${mark}token` },
  });
  const tools = await emulator.ready();
  const fetcherOf = (token: string) =>
    ProgramProcess.spawn('fetcher', {
      ...keys,
      ...{ DASHBOARD_API_BASE_URL: tools, GITHUB_BASE_URL: tools, GITLAB_BASE_URL: tools },
      ...{ GITHUB_REPOS: 'demo-org/*', GITHUB_TOKEN: token, GITHUB_WEBHOOK_SECRET: `${mark}hooks-of-github` },
      ...{ GITLAB_PROJECTS: 'demo-group/**', GITLAB_TOKEN: token, GITLAB_WEBHOOK_TOKEN: `${mark}hooks-of-gitlab` },
    });
  // One fetcher has a valid token, the other an invalid token. The service is down for both.
  const fetchers = [fetcherOf(`${mark}token`), fetcherOf(`${mark}other`)];
  const urls = await Promise.all(fetchers.map((fetcher) => fetcher.ready()));
  const hook = { tool: 'github', url: `${urls[0]}/webhooks/github`, secret: `${mark}hooks-of-github` };
  await fetch(`${tools}/_ci/webhooks`, { method: 'POST', body: JSON.stringify(hook) });
  const answers = (await Promise.all([tools, ...urls].map(answersOf))).flat();
  expect(answers.length).toBeGreaterThan(500);
  expect(answers.filter((answer) => answer.toLowerCase().includes(mark))).toEqual([]);
  for (const program of [emulator, ...fetchers]) {
    await program.terminate();
    expect(program.output).not.toBe('');
    expect(program.output.toLowerCase()).not.toContain(mark);
  }
});

test.each<[string, 'service' | 'demo-driver' | 'mock' | 'fetcher', Record<string, string>]>([
  ['one key for two purposes', 'service', { CONTROL_API_KEY: testKeys.api }],
  ['both a key and a key file', 'service', { API_KEY_FILE: '/nowhere' }],
  ['a key used as a file name', 'service', { API_KEY_NEXT_FILE: nextKeys.api }],
  ['an invalid address', 'service', { DATABASE_URL: `mysql://shiplog:${mark}database@127.0.0.1/shiplog` }],
  ['an address that cannot be parsed', 'service', { DATABASE_URL: `postgres://shiplog:${mark}%@[127.0.0.1/shiplog` }],
  ['a database that does not exist', 'service', { DATABASE_URL: `postgres://shiplog:${mark}database@127.0.0.1:1/x` }],
  ['a key that is invalid in a header', 'demo-driver', { API_KEY: `${testKeys.api}\nx` }],
  ['a password in an address', 'demo-driver', { WRITE_API_URL: `http://driver:x/@${mark}others@127.0.0.1/` }],
  ['a password in the address of problem pages', 'mock', { PROBLEM_BASE: `https://${mark}others@127.0.0.1/problems/` }],
  ['a token that is invalid in a header', 'fetcher', { GITHUB_REPOS: 'a/b', GITHUB_TOKEN: `${mark}token\nx` }],
  ['a secret that is too short', 'fetcher', { GITHUB_WEBHOOK_SECRET: mark }],
  ['a password in the address of a CI tool', 'fetcher', { GITHUB_BASE_URL: `http://x:${mark}others@127.0.0.1/` }],
  ['an empty key', 'mock', { API_KEY: '', API_KEY_NEXT: nextKeys.api }],
])('a start that fails because of %s reveals no secret', async (_, program, settings) => {
  const refused = ProgramProcess.spawn(program, { ...keys, ...settings });
  expect(await refused.exited()).toBe(1);
  expect(refused.output).toContain('Shiplog cannot start.');
  expect(refused.output).not.toContain(mark);
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('the embedded database has no key in its files or its environment', async () => {
  const dataDir = join(await testFolder(), 'data');
  const service = ProgramProcess.spawn('service', { ...keys, DATA_DIR: dataDir });
  const url = await service.ready();
  for (const key of Object.values(testKeys)) {
    await fetch(`${url}/api/deployments`, {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body: JSON.stringify(anEvent()),
    });
  }
  const pid = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0];
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  expect(environment).not.toContain(mark);
  expect(await service.terminate()).toBe(0);
  const files = await filesBelow(dataDir);
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) expect((await readFile(file)).includes(mark), file).toBe(false);
});
