import { createReporter, systemClock } from '@shiplog/client';
import { contractVersion, endpoints, headerNames, keyHeaders, productVersion, streams } from '@shiplog/contract';
import { developmentKeys } from '@shiplog/server/keys';
import { type Act, answers, cuts, hangs, ScriptedServer, sends, sendsAll, TestClock, testKeys } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { checkCompression, checkProblems } from '../src/doctor/check-answers.ts';
import { checkDevelopmentKeys, checkKey } from '../src/doctor/check-keys.ts';
import { checkClock, checkProxy, checkReadiness, checkVersion, notReached } from '../src/doctor/check-reach.ts';
import { checkStream } from '../src/doctor/check-stream.ts';
import { type Examined, isLocalUrl } from '../src/doctor/finding.ts';
import { found, pingingService, problem } from './support/doctor.ts';
import { documents, ran } from './support/ran.ts';

test('proxy: a service that does not trust the proxy before it is a fault', async () => {
  const version = JSON.stringify({ version: productVersion, contract: contractVersion });
  const told = async (headers: Record<string, string>) => {
    const server = await ScriptedServer.open(answers(200, version, headers));
    return found(server.url, checkProxy);
  };
  expect([await told({}), await told({ [headerNames.proxyTrust]: 'none' })]).toEqual([[], []]);
  expect(await told({ [headerNames.proxyTrust]: 'trusted' })).toEqual([expect.stringMatching(/^ok: /)]);
  expect(await told({ [headerNames.proxyTrust]: 'untrusted' })).toEqual([
    expect.stringMatching(/^fault: .*add the proxy's address to TRUSTED_PROXIES/),
  ]);
});

describe('the whole', () => {
  test('of a service that is well has no fault, one line each', async () => {
    const url = await pingingService();
    const env = { SHIPLOG_CONTROL_API_KEY: testKeys.control };
    // A check may take as long as the machine needs.
    const clock = { ...systemClock, sleep: () => new Promise<void>(() => undefined) };
    const reporter = createReporter({ baseUrl: url, apiKey: testKeys.api, componentId: 'relay' });
    await reporter.heartbeat('running');
    const { code, stdout, stderr } = await ran(url, ['doctor', '--expect', 'relay'], { env, clock });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      `ok     reach        ${url} answers.`,
      `ok     version      Service and command are ${productVersion}.`,
      'ok     keys         SHIPLOG_API_KEY is taken.',
      'ok     keys         SHIPLOG_CONTROL_API_KEY is taken.',
      'ok     clock        The clocks of this machine and of the service agree.',
      'ok     compression  Answers are compressed (br).',
      'ok     readiness    The database answers, and all channels are attached.',
      `ok     problems     Problems are explained at ${url}/problems.`,
      'ok     components   relay is running.',
      'ok     pruning      Pruning is not refused.',
      'ok     quality      Nothing is wrong with what was posted.',
      'ok     stream       A stream begins at once and pings.',
    ]);
  });

  test('with a fault is 1, and its JSON has a line for each finding', async () => {
    const url = await pingingService();
    const { code, stdout } = await ran(url, ['doctor', '--json', '--expect', 'relay']);
    expect(code).toBe(1);
    const levels = (documents(stdout) as { level: string; check: string }[]).map(
      ({ level, check }) => `${level} ${check}`,
    );
    expect(levels).toContain('fault components');
    expect(levels).toContain('note keys');
  });

  test('ends where the service cannot be reached', async () => {
    const { code, stdout } = await ran('http://127.0.0.1:1', ['doctor']);
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^fault {2}reach .*whether the service runs\.$/), ''],
    ]);
  });

  test('is not given up where one check fails', async () => {
    const server = await ScriptedServer.open(answers(500));
    server.script('GET /healthz', answers(200, '{"status":"ok"}'));
    const { code, stdout } = await ran(server.url, ['doctor']);
    expect(code).toBe(1);
    expect(stdout).toContain('fault  version      This could not be looked at: The service answered 500');
    expect(stdout).toContain('fault  components ');
  });
});

test('a check without an answer ends after 10 s, and says so', async () => {
  const server = await ScriptedServer.open(hangs);
  server.script('GET /healthz', answers(200, '{"status":"ok"}'));
  server.script(`GET ${streams.deployments.path}`, cuts);
  const clock = new TestClock();
  const env = { SHIPLOG_CONTROL_API_KEY: testKeys.control };
  const examined = ran(server.url, ['doctor', '--json'], { env, clock });
  await server.until(() => server.of(`GET ${endpoints.streamControl.path}`).length > 0);
  await clock.pass(10_000);
  const { code, stdout } = await examined;
  expect(code).toBe(1);
  const texts = (documents(stdout) as { check: string; text: string }[]).filter(({ check }) => check === 'keys');
  const late = 'There was no answer within 10 s. Check whether a proxy holds answers back.';
  expect(texts.map(({ text }) => text)).toEqual(Array(2).fill(expect.stringContaining(late)));
});

describe('reach', () => {
  test.each([
    ['CERT_HAS_EXPIRED', 'renew its certificate'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'there is no TLS at this port'],
    ['ENOTFOUND', 'the name is not known'],
    ['ECONNREFUSED', 'whether the service runs'],
  ])('that fails with %s says what to do', (code, advice) => {
    const cause = Object.assign(new Error(code), { code });
    expect(notReached('https://x', new TypeError('fetch failed', { cause }))).toContain(advice);
  });

  test('tells an address where something else answers', async () => {
    const elsewhere = await ScriptedServer.open(answers(404, 'nothing here'));
    const { code, stdout } = await ran(elsewhere.url, ['doctor']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('answers 404; check the address')]);
  });

  test.each([
    ['http://127.0.0.1:3000', true],
    ['http://localhost', true],
    ['http://[::1]:3000/shiplog', true],
    ['http://127.0.0.1.example.com', false],
    ['https://shiplog.example.com', false],
  ])('%s is local: %s', (url, isLocal) => {
    expect(isLocalUrl(url)).toBe(isLocal);
  });
});

test.each([
  ['9.9.9', contractVersion, 'note: The service is 9.9.9'],
  ['9.9.9', '2.0.0', 'fault: The service speaks contract 2.0.0'],
])('version: a service of %s with contract %s is told of', async (version, contract, text) => {
  const server = await ScriptedServer.open(answers(200, JSON.stringify({ version, contract })));
  expect(await found(server.url, checkVersion)).toEqual([expect.stringContaining(text)]);
});

describe('keys', () => {
  test('that are exchanged or wrong are told apart', async () => {
    const url = await pingingService();
    const exchanged = { api: testKeys.control, control: testKeys.api };
    const judged = async (keys: Examined['keys']) => [
      ...(await found(url, checkKey('api'), { keys })),
      ...(await found(url, checkKey('control'), { keys })),
    ];
    expect(await judged(exchanged)).toEqual([
      'fault: SHIPLOG_API_KEY holds the other key; it takes the API_KEY of the service, and SHIPLOG_CONTROL_API_KEY this one.',
      'fault: SHIPLOG_CONTROL_API_KEY holds the other key; it takes the CONTROL_API_KEY of the service, and SHIPLOG_API_KEY this one.',
    ]);
    expect(await judged({ api: 'x' })).toEqual([
      'fault: SHIPLOG_API_KEY is not taken; set it to the API_KEY of the service.',
      'note: SHIPLOG_CONTROL_API_KEY is not set, so this key was not tried.',
    ]);
  });

  test('of development are a fault of a service that is not local', async () => {
    const url = await pingingService();
    expect(await found(url, checkDevelopmentKeys, { isLocal: false })).toEqual([
      'ok: The service takes no development key.',
    ]);
    const open = await ScriptedServer.open(answers(401));
    open.script(`GET ${endpoints.getFetcherState.path.replace('{adapter}', 'shiplog-doctor')}`, (response, request) =>
      (request.headers[keyHeaders.api.toLowerCase()] === developmentKeys.api ? problem(404) : problem(401))(
        response,
        request,
      ),
    );
    const [finding] = await found(open.url, checkDevelopmentKeys, { isLocal: false });
    expect(finding).toMatch(/^fault: The service takes the development key .* set API_KEY of the service/);
  });
});

test.each([
  [-31, "fault: This machine's clock is 31 s behind the service's; set both by NTP."],
  [29, 'ok: The clocks of this machine and of the service agree.'],
  [31, "fault: This machine's clock is 31 s ahead of the service's; set both by NTP."],
])('clock: %i s beside the Date of the service', async (seconds, text) => {
  const date = new Date('2026-05-04T09:00:00Z');
  const server = await ScriptedServer.open(answers(200, '{}', { date: date.toUTCString() }));
  const clock = { ...systemClock, now: () => new Date(date.getTime() + 500 + seconds * 1000) };
  expect(await found(server.url, checkClock, { clock })).toEqual([text]);
});

describe('stream', () => {
  const never = { firstByteMs: 60_000, pingMs: 60_000 };
  const typed = (headers: Record<string, string>): Act => answers(200, 'x', headers);

  test.each<[string, Act, object, string]>([
    ['is held back whole', hangs, { firstByteMs: 1 }, 'fault: A stream does not begin within'],
    ['is held back after its head', sends(), { firstByteMs: 1 }, 'fault: A stream does not begin within'],
    ['never pings', sends('retry: 2000\n\n'), { pingMs: 1 }, 'fault: No ping came within'],
    ['is cut', sendsAll('retry: 2000\n\n'), {}, 'fault: A stream is cut before its first ping'],
    ['is a page', typed({ 'content-type': 'text/html' }), {}, 'fault: A stream comes as text/html'],
    ['is refused', answers(502), {}, 'fault: A stream is answered 502'],
    ['cannot be connected', cuts, {}, 'rejected'],
  ])('that %s', async (_what, act, patience, text) => {
    const server = await ScriptedServer.open(act);
    const findings = found(server.url, checkStream({ ...never, ...patience })).catch(() => ['rejected']);
    expect(await findings).toEqual([expect.stringContaining(text)]);
  });

  test('that pings without X-Accel-Buffering has met a proxy', async () => {
    const server = await ScriptedServer.open(sends('retry: 2000\n\n', ': pi', 'ng\n\n'));
    expect(await found(server.url, checkStream(never))).toEqual([
      'ok: A stream begins at once and pings.',
      expect.stringMatching(/^note: A proxy takes X-Accel-Buffering away/),
    ]);
    expect(server.of(`GET ${streams.deployments.path}`)).toHaveLength(1);
  });
});

test('compression: answers that come as they are', async () => {
  const server = await ScriptedServer.open(answers(200, '{}'));
  expect(await found(server.url, checkCompression)).toEqual([
    expect.stringMatching(/^fault: Answers come uncompressed/),
  ]);
});

test('readiness: the channels that are not attached', async () => {
  const checks = { db: 'ok', listen: 'fail', deployment_events: 'fail' };
  const server = await ScriptedServer.open(problem(503, { checks }));
  expect(await found(server.url, checkReadiness)).toEqual([
    expect.stringMatching(/^fault: The service is not ready \(listen, deployment_events\)/),
  ]);
});

describe('problems', () => {
  test('whose page is not there', async () => {
    const server = await ScriptedServer.open(problem(404));
    expect(await found(server.url, checkProblems)).toEqual([
      `fault: ${server.url}/problems/x answers 404; set PROBLEM_BASE to where the service is reached by its users.`,
    ]);
  });

  test('that a proxy replaces', async () => {
    const server = await ScriptedServer.open(answers(404, '<h1>404</h1>', { 'content-type': 'text/html' }));
    expect(await found(server.url, checkProblems)).toEqual([
      expect.stringMatching(/^fault: A refusal does not come as/),
    ]);
  });
});
