import { ScriptedServer } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { aRepo, aSeed, type Refused, testEmulator } from './support/emulator.ts';

describe('the payload of a deployment', () => {
  /** An object with this number of nested levels. */
  const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
  const deployment = (payload: string) =>
    JSON.stringify({ repository: 'acme/shop', environment: 'dev', payload: 7 }).replace('7', payload);
  const [usual] = aRepo().deployments;
  const seed = (payload: string) =>
    JSON.stringify({ data: aSeed({ repos: [aRepo({ deployments: [{ ...usual, payload: '7' } as never] })] }) }).replace(
      '"7"',
      payload,
    );

  test.each([
    ['/_ci/deployments', deployment, '/payload', 201],
    ['/_ci/seed', seed, '/data/repos/0/deployments/0/payload', 200],
  ])('sent to %s is refused if it has more than a hundred nested levels', async (path, bodyOf, pointer, taken) => {
    const emulator = await testEmulator({}, null);
    await emulator.seed({ data: aSeed({ repos: [aRepo({ deployments: [] })] }) });
    for (const levels of [101, 20_000]) {
      const refused = await emulator.send<Refused>(path, { method: 'POST', body: bodyOf(nested(levels)) });
      expect([refused.status, refused.body.errors.map((error) => error.pointer)]).toEqual([422, [pointer]]);
    }
    expect((await emulator.send(path, { method: 'POST', body: bodyOf(nested(100)) })).status).toBe(taken);
    const list = await emulator.github<{ payload: object }[]>('/repos/acme/shop/deployments');
    expect(list.body.map(({ payload }) => JSON.stringify(payload))).toEqual([nested(100)]);
  });
});

describe('a webhook', () => {
  const add = { tool: 'gitlab', secret: 'secret-of-webhooks-1' };

  test.each([
    'http://0.0.0.0/',
    'http://0/',
    'http://167772161/',
    'http://0x0a.1/',
    'http://012.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost.example.com/',
    'http://localhost@10.0.0.1/',
    'http://10.0.0.1#@localhost/',
    'http://10.0.0.1\\@localhost/',
    'ftp://localhost/',
    'javascript://localhost/%0aalert(1)',
  ])('with the URL %s is refused', async (url) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.post<Refused>('/_ci/webhooks', { ...add, url });
    expect([status, body.errors.map(({ pointer }) => pointer)]).toEqual([422, ['/url']]);
  });

  test('does not follow redirects', async () => {
    const inside = await ScriptedServer.open();
    const target = await ScriptedServer.open((response) => response.writeHead(307, { location: inside.url }).end());
    const emulator = await testEmulator();
    await emulator.post('/_ci/webhooks', { ...add, tool: 'github', url: `${target.url}/hook` });
    await emulator.deliveriesOver();
    expect([target.received.length, inside.received.length]).toEqual([1, 0]);
  });
});

test.each(['__proto__', 'constructor', 'toString', '__proto__/constructor', 'acme/__proto__'])(
  'a repository with the name %s is unknown',
  async (repository) => {
    const emulator = await testEmulator();
    const { status } = await emulator.post('/_ci/deployments', { repository, environment: 'dev' });
    const github = await emulator.github(`/repos/${repository}/deployments`);
    const gitlab = await emulator.gitlab(`/projects/${encodeURIComponent(repository)}`);
    expect([status, github.status, gitlab.status]).toEqual([422, 404, 404]);
  },
);
