import type { Agent } from 'node:http';
import { limits } from '@shiplog/contract';
import { httpLimits } from '@shiplog/server';
import {
  builtDashboard,
  connections,
  exchange,
  type HttpCall,
  type OpenApiDocument,
  testDatabase,
  testKeys,
  testLogger,
  testService,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { githubRoutes } from '../../apps/ci-emulator/src/github/routes.ts';
import { gitlabRoutes } from '../../apps/ci-emulator/src/gitlab/routes.ts';
import { testEmulator } from '../../apps/ci-emulator/test/support/emulator.ts';
import { TestDriver } from '../../apps/demo-driver/test/support/driver.ts';
import { readConfig as readFetcherConfig } from '../../apps/fetcher/src/config.ts';
import { startFetcher } from '../../apps/fetcher/src/fetcher.ts';
import { testMock } from '../../apps/mock/test/support/mock.ts';
import { Run as RelayRun } from '../../apps/relay/test/support/run.ts';
import { targetsOf } from '../input/cases.ts';

/** The maximum cost of a request with the largest headers, as a multiple of an ordinary request. */
const timesMax = 100;
/** From this multiple of an ordinary request, the cost is compared with that of headers of half the size. */
const timesSuspect = 20;
/** The maximum ratio of the costs of full and half headers: 2 for a linear parser, 4 for a quadratic one. */
const growthMax = 3;
/**
 * The number of measurements. Only the lowest counts, because garbage collection or compilation can distort a
 * measurement.
 */
const tries = 3;
/** The same for the growth, which divides two measurements. */
const growthTries = 9;
/** The bytes of the headers other than the padding: the request line, `Host` and keys. */
const ownBytes = 600;
const keys = { 'X-Api-Key': testKeys.api, 'X-Control-API-Key': testKeys.control };
const fillBytesMax = httpLimits.headerBytes - ownBytes;

const programs = {
  service: async () =>
    (await testService({ databaseUrl: (await testDatabase()).url, config: { dashboardDir: builtDashboard } })).url,
  mock: async () => (await testMock()).url,
  'ci-emulator': async () => (await testEmulator()).url,
  'demo-driver': async () => {
    const [url, emulatorUrl] = [await programs.mock(), await programs['ci-emulator']()];
    return (await TestDriver.start({ config: { neighbours: { writeApiUrl: url, emulatorUrl, fetcherUrl: url } } })).url;
  },
  fetcher: async () => {
    const settings = { PORT: '0', DASHBOARD_API_BASE_URL: await programs.mock(), API_KEY: testKeys.api };
    const emulatorUrl = await programs['ci-emulator']();
    const source = { GITHUB_BASE_URL: emulatorUrl, GITHUB_TOKEN: 'a-token', GITHUB_REPOS: 'acme/*' };
    const fetcher = await startFetcher({
      config: readFetcherConfig({ ...settings, ...source, CONTROL_API_KEY: testKeys.control }),
      logger: testLogger(undefined),
    });
    onTestFinished(fetcher.stop);
    return fetcher.url;
  },
  relay: async () => (await (await RelayRun.open()).relay()).url,
} as const;

/** The paths that programs serve in addition to those in their OpenAPI documents. `toolPaths` are the emulator's. */
const pages = ['/', '/docs', '/openapi.json', '/metrics', '/problems/validation', '/nowhere', '/demo/', '/assets/x.js'];
const toolPaths = [...githubRoutes, ...gitlabRoutes].map(({ path }) => path.replace(/\{\w+\+?\}/g, 'x'));

/** Ways to fill the headers of a request with a number of bytes. */
function filled(
  call: HttpCall,
  queryNames: readonly string[],
  fillBytes: number,
): (readonly [how: string, call: HttpCall])[] {
  const repeated = (text: string): string => text.repeat(Math.floor(fillBytes / text.length));
  const path = call.path.replace(/\?.*/s, '');
  const asked = (query: string): HttpCall => ({
    ...call,
    path: `${call.path}${path === call.path ? '?' : '&'}${query}`,
  });
  const below = (segments: string): HttpCall => ({ ...call, path: `${path}${segments}` });
  const headed = (name: string, value: string): HttpCall => ({ ...call, headers: [...call.headers, [name, value]] });
  const lines = Array.from({ length: Math.floor(fillBytes / 8) }, () => ['a', 'bb'] as const);
  return [
    ...['a', ...queryNames].map((name) => [`?${name}&${name}…`, asked(repeated(`${name}&`))] as const),
    ...queryNames
      .slice(0, 1)
      .map((name) => [`${name}, repeated up to the limit`, asked(thousand(name, fillBytes))] as const),
    ['different names', asked(Array.from({ length: fillBytes / 5 }, (_, index) => index.toString(36)).join('&'))],
    ['percent-encoding', asked(`a=${repeated('%C3%A9')}`)],
    ['broken percent-encoding', asked(repeated('%zz&'))],
    ['segments', below(repeated('/a'))],
    ['broken segments', below(repeated('/%zz'))],
    ['If-None-Match', headed('If-None-Match', repeated('"a",'))],
    ['If-None-Match without an end', headed('If-None-Match', repeated('W/'))],
    ['Accept-Encoding', headed('Accept-Encoding', repeated('a;q=0,'))],
    ['Accept', headed('Accept', repeated('text/'))],
    ['header lines', { ...call, headers: [...call.headers, ...lines] }],
  ];
}

/** A query with the maximum number of parameters. Their values fill the remaining space equally. */
function thousand(name: string, fillBytes: number): string {
  const each = Math.floor(fillBytes / limits.queryPairs);
  return `${name}=`
    .padEnd(each - 1, 'x')
    .concat('&')
    .repeat(Math.floor(fillBytes / Math.max(each, name.length + 2)));
}

/** The CPU time of a request in client and server, excluding other work on the machine. */
async function cost(url: string, call: HttpCall, agent: Agent): Promise<number> {
  const before = process.cpuUsage();
  const { status } = await exchange(url, call, agent);
  const { user, system } = process.cpuUsage(before);
  expect(status).not.toBe(431);
  return (user + system) / 1000;
}

/** The lowest cost of several requests, in ms. Ends at the first one that costs no more than `enoughMs`. */
async function lowestCost(times: number, enoughMs: number, measured: () => Promise<number>): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < times && ms > enoughMs; trial++) ms = Math.min(ms, await measured());
  return ms;
}

test.each(Object.entries(programs))(
  '%s: the time for a request grows with the size of its headers, not with the square',
  async (name, start) => {
    const url = await start();
    const agent = connections(1);
    onTestFinished(() => agent.destroy());
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
    const paths = [...pages, ...(name === 'ci-emulator' ? toolPaths : [])];
    const called = [
      ...targetsOf({ document, keys, known: { figure: 'incidents' } }).map((target) => ({
        call: target.call(target.harmless?.parts),
        queryNames: target.operation.parameters.filter((one) => one.in === 'query').map((one) => one.name),
      })),
      ...paths.map((path) => ({ call: { method: 'GET', path, headers: [], body: undefined }, queryNames: [] })),
    ];
    const ordinary: number[] = [];
    for (const { call } of called) ordinary.push(await cost(url, call, agent));
    const ordinaryMs = ordinary.toSorted((one, other) => one - other)[Math.floor(ordinary.length / 2)] ?? 0;
    const slow: string[] = [];
    for (const { call, queryNames } of called) {
      const halves = filled(call, queryNames, fillBytesMax / 2);
      for (const [index, [how, heavy]] of filled(call, queryNames, fillBytesMax).entries()) {
        const ms = await lowestCost(tries, timesSuspect * ordinaryMs, () => cost(url, heavy, agent));
        if (ms <= timesSuspect * ordinaryMs) continue;
        const half = halves[index]?.[1] ?? call;
        const fullMs = await lowestCost(growthTries, 0, () => cost(url, heavy, agent));
        const halfMs = await lowestCost(growthTries, 0, () => cost(url, half, agent));
        const [times, growth] = [fullMs / ordinaryMs, fullMs / halfMs];
        if (times > timesMax || growth > growthMax)
          slow.push(`${call.method} ${call.path}, ${how}: ${times.toFixed(0)} ordinary, ${growth.toFixed(1)} of half`);
      }
    }
    expect(slow).toEqual([]);
  },
);
