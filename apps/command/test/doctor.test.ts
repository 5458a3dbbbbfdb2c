import { createReporter, systemClock } from '@shiplog/client';
import { contractVersion, endpoints, headerNames, keyHeaders, productVersion, streams } from '@shiplog/contract';
import { developmentKeys } from '@shiplog/server/keys';
import {
  type Act,
  answers,
  cuts,
  hangs,
  ScriptedServer,
  sends,
  sendsAll,
  sharedService,
  TestClock,
  testKeys,
} from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { checkCompression, checkProblems } from '../src/doctor/check-answers.ts';
import { checkDevelopmentKeys, checkKey } from '../src/doctor/check-keys.ts';
import { checkQuality } from '../src/doctor/check-quality.ts';
import { checkClock, checkProxy, checkReadiness, checkVersion, notReached } from '../src/doctor/check-reach.ts';
import { checkStream } from '../src/doctor/check-stream.ts';
import { type Installation, isLocalUrl } from '../src/doctor/finding.ts';
import { documents, ran } from './support/call.ts';
import { found, problem } from './support/doctor.ts';

/** Its streams ping at once. */
const pinging = sharedService({ times: { heartbeatMs: 20 } });

test('doctor reports a fault if the service does not trust its proxy', async () => {
  const version = JSON.stringify({ version: productVersion, contract: contractVersion });
  const told = async (headers: Record<string, string>) => {
    const server = await ScriptedServer.open(answers(200, version, headers));
    return found(server.url, checkProxy);
  };
  expect([await told({}), await told({ [headerNames.proxyTrust]: 'none' })]).toEqual([[], []]);
  expect(await told({ [headerNames.proxyTrust]: 'trusted' })).toEqual([expect.stringMatching(/^ok: /)]);
  expect(await told({ [headerNames.proxyTrust]: 'untrusted' })).toEqual([
    expect.stringMatching(/^fault: .*Add the proxy's address .* to TRUSTED_PROXIES/),
  ]);
});

test('doctor tells a refused reader which key is missing, and does not blame a proxy', async () => {
  const refused = async () => (await ScriptedServer.open(problem(401))).url;
  const told = [...(await found(await refused(), checkCompression)), ...(await found(await refused(), checkStream()))];
  expect(told).toEqual([expect.stringMatching(/^fault: .*follow streams \(401\)\. Set SHIPLOG_API_KEY to a key/)]);
});

describe('all checks of doctor', () => {
  test('doctor prints one line per check, and no fault for a healthy service', async () => {
    const { url } = await pinging();
    const env = { SHIPLOG_CONTROL_API_KEY: testKeys.control };
    // Disable the timeouts of the checks, because the machine may be slow.
    const clock = { ...systemClock, sleep: () => new Promise<void>(() => undefined) };
    const reporter = createReporter({ baseUrl: url, apiKey: testKeys.api, componentId: 'relay' });
    await reporter.heartbeat('running');
    const { code, stdout, stderr } = await ran(url, ['doctor', '--expect', 'relay'], { env, clock });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      `ok     reach        ${url} answers.`,
      `ok     version      The service and this command have version ${productVersion}.`,
      'ok     keys         The service accepts SHIPLOG_API_KEY.',
      'ok     keys         The service accepts SHIPLOG_CONTROL_API_KEY.',
      'ok     access       SHIPLOG_API_KEY is the shared key.',
      'ok     access       SHIPLOG_CONTROL_API_KEY is the shared key.',
      'ok     clock        The clocks of this machine and the service agree.',
      'ok     compression  Responses are compressed (br).',
      'ok     readiness    The database answers and all channels are attached.',
      `ok     problems     Problems are explained at ${url}/problems.`,
      'ok     components   relay is running.',
      'ok     pruning      Pruning works.',
      'ok     quality      No data quality findings.',
      'ok     stream       The stream starts at once and sends pings.',
    ]);
  });

  test('doctor exits with 1 on a fault, with one JSON line per finding', async () => {
    const { url } = await pinging();
    const { code, stdout } = await ran(url, ['doctor', '--json', '--expect', 'fetcher']);
    expect(code).toBe(1);
    const levels = (documents(stdout) as { level: string; check: string }[]).map(
      ({ level, check }) => `${level} ${check}`,
    );
    expect(levels).toContain('fault components');
    expect(levels).toContain('note keys');
  });

  test('doctor stops if the service is unreachable', async () => {
    const { code, stdout } = await ran('http://127.0.0.1:1', ['doctor']);
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^fault {2}reach .*that the service is running\.$/), ''],
    ]);
  });

  test('doctor continues after a failed check', async () => {
    const server = await ScriptedServer.open(answers(500));
    server.script('GET /healthz', answers(200, '{"status":"ok"}'));
    const { code, stdout } = await ran(server.url, ['doctor']);
    expect(code).toBe(1);
    expect(stdout).toContain('fault  version      The check failed: The service answered 500');
    expect(stdout).toContain('fault  components ');
  });
});

test('a check without a response fails after 10 s with a message', async () => {
  const server = await ScriptedServer.open(hangs);
  server.script('GET /healthz', answers(200, '{"status":"ok"}'));
  server.script(`GET ${streams.deployments.path}`, cuts);
  const clock = new TestClock();
  const env = { SHIPLOG_CONTROL_API_KEY: testKeys.control };
  const installation = ran(server.url, ['doctor', '--json'], { env, clock });
  await server.until(() => server.of(`GET ${endpoints.streamControl.path}`).length > 0);
  await clock.pass(10_000);
  const { code, stdout } = await installation;
  expect(code).toBe(1);
  const texts = (documents(stdout) as { check: string; text: string }[]).filter(({ check }) => check === 'keys');
  const late = 'No response within 10 s. Check whether a proxy delays responses.';
  expect(texts.map(({ text }) => text)).toEqual(Array(2).fill(expect.stringContaining(late)));
});

describe("doctor's check that the service is reachable", () => {
  test.each([
    ['CERT_HAS_EXPIRED', 'Renew its certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', "this port doesn't use TLS"],
    ['ENOTFOUND', 'unknown host name'],
    ['ECONNREFUSED', 'that the service is running'],
  ])('doctor reports a connection that fails with %s and says what to do', (code, advice) => {
    const cause = Object.assign(new Error(code), { code });
    expect(notReached('https://x', new TypeError('fetch failed', { cause }))).toContain(advice);
  });

  test('doctor reports that another program answers at the address', async () => {
    const elsewhere = await ScriptedServer.open(answers(404, 'nothing here'));
    const { code, stdout } = await ran(elsewhere.url, ['doctor']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('returned 404. Check the address')]);
  });

  test.each([
    ['http://127.0.0.1:3000', true],
    ['http://localhost', true],
    ['http://[::1]:3000/shiplog', true],
    ['http://127.0.0.1.example.com', false],
    ['https://shiplog.example.com', false],
  ])('detects whether the address %s is local: %s', (url, isLocal) => {
    expect(isLocalUrl(url)).toBe(isLocal);
  });
});

test.each([
  ['9.9.9', contractVersion, 'note: The service has version 9.9.9'],
  ['9.9.9', '2.0.0', 'fault: The service uses contract 2.0.0'],
])('doctor reports a service with version %s and contract %s', async (version, contract, text) => {
  const server = await ScriptedServer.open(answers(200, JSON.stringify({ version, contract })));
  expect(await found(server.url, checkVersion)).toEqual([expect.stringContaining(text)]);
});

describe('the key checks of doctor', () => {
  test('swapped keys and wrong keys are distinguished', async () => {
    const { url } = await pinging();
    const exchanged = { api: testKeys.control, control: testKeys.api };
    const judged = async (keys: Installation['keys']) => [
      ...(await found(url, checkKey('api'), { keys })),
      ...(await found(url, checkKey('control'), { keys })),
    ];
    expect(await judged(exchanged)).toEqual([
      'fault: SHIPLOG_API_KEY contains the other key. Set it to the API_KEY of the service, and SHIPLOG_CONTROL_API_KEY to this one.',
      'fault: SHIPLOG_CONTROL_API_KEY contains the other key. Set it to the CONTROL_API_KEY of the service, and SHIPLOG_API_KEY to this one.',
    ]);
    expect(await judged({ api: 'x' })).toEqual([
      'fault: The service rejects SHIPLOG_API_KEY. Set it to a named key of its access file, or to its API_KEY unless the file has shared_key: off.',
      'note: SHIPLOG_CONTROL_API_KEY is not set, so this key was not tested.',
    ]);
  });

  test('a remote service that accepts the development keys is a fault', async () => {
    const { url } = await pinging();
    expect(await found(url, checkDevelopmentKeys, { isLocal: false })).toEqual([
      'ok: The service rejects the development keys.',
    ]);
    const open = await ScriptedServer.open(answers(401));
    open.script(`GET ${endpoints.getAccessSelf.path}`, (response, request) =>
      (request.headers[keyHeaders.api.toLowerCase()] === developmentKeys.api ? answers(200, '{}') : problem(401))(
        response,
        request,
      ),
    );
    const [finding] = await found(open.url, checkDevelopmentKeys, { isLocal: false });
    expect(finding).toMatch(/^fault: The service accepts the public development key\. Set API_KEY of the service/);
  });
});

test.each([
  [-31, "fault: This machine's clock is 31 s behind the service's. Synchronize both with NTP."],
  [29, 'ok: The clocks of this machine and the service agree.'],
  [31, "fault: This machine's clock is 31 s ahead of the service's. Synchronize both with NTP."],
])("doctor reports a clock that differs from the service's Date by %i s", async (seconds, text) => {
  const date = new Date('2026-05-04T09:00:00Z');
  const server = await ScriptedServer.open(answers(200, '{}', { date: date.toUTCString() }));
  const clock = { ...systemClock, now: () => new Date(date.getTime() + 500 + seconds * 1000) };
  expect(await found(server.url, checkClock, { clock })).toEqual([text]);
});

describe("doctor's stream check", () => {
  const never = { firstByteMs: 60_000, pingMs: 60_000 };
  const typed = (headers: Record<string, string>): Act => answers(200, 'x', headers);

  test.each<[string, Act, object, string]>([
    ['is held back completely', hangs, { firstByteMs: 1 }, 'fault: The stream does not start within'],
    ['is held back after its headers', sends(), { firstByteMs: 1 }, 'fault: The stream does not start within'],
    ['never pings', sends('retry: 2000\n\n'), { pingMs: 1 }, 'fault: No ping arrived within'],
    ['is cut', sendsAll('retry: 2000\n\n'), {}, 'fault: The stream is cut before its first ping'],
    ['is an HTML page', typed({ 'content-type': 'text/html' }), {}, 'fault: The stream has the type text/html'],
    ['is refused', answers(502), {}, 'fault: The stream request returned 502'],
    ['cannot be connected', cuts, {}, 'rejected'],
  ])('doctor reports a stream that %s', async (_what, act, patience, text) => {
    const server = await ScriptedServer.open(act);
    const findings = found(server.url, checkStream({ ...never, ...patience })).catch(() => ['rejected']);
    expect(await findings).toEqual([expect.stringContaining(text)]);
  });

  test('doctor detects a proxy by a stream with pings but without X-Accel-Buffering', async () => {
    const server = await ScriptedServer.open(sends('retry: 2000\n\n', ': pi', 'ng\n\n'));
    expect(await found(server.url, checkStream(never))).toEqual([
      'ok: The stream starts at once and sends pings.',
      expect.stringMatching(/^note: A proxy removes X-Accel-Buffering/),
    ]);
    expect(server.of(`GET ${streams.deployments.path}`)).toHaveLength(1);
  });
});

test('doctor reports uncompressed responses as a fault', async () => {
  const server = await ScriptedServer.open(answers(200, '{}'));
  expect(await found(server.url, checkCompression)).toEqual([
    expect.stringMatching(/^fault: Responses are not compressed/),
  ]);
});

test('doctor lists detached channels', async () => {
  const checks = { db: 'ok', listen: 'fail', deployment_events: 'fail' };
  const server = await ScriptedServer.open(problem(503, { checks }));
  expect(await found(server.url, checkReadiness)).toEqual([
    expect.stringMatching(/^fault: The service is not ready \(listen, deployment_events\)/),
  ]);
});

test('doctor reports the progress of a service that is preparing its figures, which is not a fault', async () => {
  const preparing = { events: 1_200_000, total: 3_400_000 };
  const server = await ScriptedServer.open(problem(503, { detail: 'Analytics are being prepared.' }));
  server.script('GET /readyz', answers(200, JSON.stringify({ status: 'ready', checks: {}, preparing })));
  expect([...(await found(server.url, checkReadiness)), ...(await found(server.url, checkQuality))]).toEqual([
    'ok: The database answers and all channels are attached.',
    'note: Analytics and releases are being prepared: 1,200,000 of about 3,400,000 events are loaded. Until then, they return 503.',
    'note: Analytics are being prepared.',
  ]);
});

describe("doctor's check of problem documents", () => {
  test('doctor reports problem documents that link to missing pages as a fault', async () => {
    const server = await ScriptedServer.open(problem(404));
    expect(await found(server.url, checkProblems)).toEqual([
      `fault: ${server.url}/problems/x returned 404. Set PROBLEM_BASE to the public address of the service.`,
    ]);
  });

  test('doctor reports problem documents that a proxy replaced as a fault', async () => {
    const server = await ScriptedServer.open(answers(404, '<h1>404</h1>', { 'content-type': 'text/html' }));
    expect(await found(server.url, checkProblems)).toEqual([
      expect.stringMatching(/^fault: An error response is not a problem document/),
    ]);
  });
});
