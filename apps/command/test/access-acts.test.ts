import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyDigest, newKey } from '@shiplog/access';
import { anEvent, postStored, sharedService, testDatabase, testFolder, testKeys, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { documents, ran } from './support/call.ts';

const key = newKey('payments', Buffer.alloc(32, 1));
const operator = newKey('operator', Buffer.alloc(32, 2));
const file = `
keys:
  - { id: payments, name: jenkins-payments, sha256: ${keyDigest(key)}, may: { post: { services: ["pay-*"], environments: [prod] } } }
  - { id: operator, name: operator, sha256: ${keyDigest(operator)}, may: { control: true } }
`;

async function accessService(): Promise<string> {
  const accessFile = join(await testFolder(), 'access.yaml');
  writeFileSync(accessFile, file);
  const { url: databaseUrl } = await testDatabase();
  const config = { accessFile, publicUrl: 'https://shiplog.example' };
  return (await testService({ databaseUrl, config, times: { refusalsMs: 5, heartbeatMs: 20 } })).url;
}

const withKey = { env: { SHIPLOG_API_KEY: key } };
const withOperator = { env: { SHIPLOG_CONTROL_API_KEY: operator } };
const posted = ['post', '--environment', 'prod', '--status', 'success', '--deployment-id', 'd-1', '--service'];

test('acts are listed with a control key, latest first, in pages and by kind', async () => {
  const url = await accessService();
  expect(await ran(url, [...posted, 'pay-api'], withKey)).toMatchObject({ code: 0 });
  expect(await ran(url, [...posted, 'ledger'], withKey)).toMatchObject({ code: 3 });
  const acts = async (...args: string[]) => {
    const { stdout } = await ran(url, ['access', 'acts', '--json', ...args], withOperator);
    return documents(stdout) as { kind: string; subject: string | null }[];
  };
  await expect
    .poll(async () => (await acts()).map(({ kind }) => kind).toSorted())
    .toEqual(['file-changed', 'key-first-used', 'key-first-used', 'refused'].toSorted());
  expect(await acts('--kind', 'refused')).toMatchObject([{ kind: 'refused', subject: 'payments', reason: 'scope' }]);
  expect(await acts('--kind', 'refused', '--kind', 'file-changed')).toHaveLength(2);
  expect(await acts('--limit', '1')).toHaveLength(1);
  const { code, stdout } = await ran(url, ['access', 'acts', '--kind', 'refused'], withOperator);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S+\trefused\tpayments\tscope\t1\t\{.*\}\n$/)]);
});

test.each([
  [[], { env: {} }, 2, 'SHIPLOG_CONTROL_API_KEY is not set'],
  [['--kind', 'theft'], withOperator, 2, 'Unknown --kind theft. Kinds: file-changed, '],
  [['--limit', '0'], withOperator, 2, '--limit must be'],
] as const)('access acts %j says what to do', async (args, given, code, sentence) => {
  const ended = await ran('http://127.0.0.1:1', ['access', 'acts', ...args], given);
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(sentence)]);
});

test('history --proof shows who posted each event', async () => {
  const url = await accessService();
  await ran(url, [...posted, 'pay-api'], withKey);
  await postStored(url, anEvent({ service: 'pay-api', environment: 'prod', deployment_id: 'd-2' }));
  const history = ['history', 'pay-api', 'prod'];
  const { stdout } = await ran(url, [...history, '--proof']);
  const words = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').at(-1));
  expect(words.toSorted()).toEqual(['with the key jenkins-payments', 'with the shared key']);
  const found = documents((await ran(url, [...history, '--proof', '--json'])).stdout) as { proof: { kind: string } }[];
  expect(found.map(({ proof }) => proof.kind).toSorted()).toEqual(['key', 'shared']);
  expect((await ran(url, history)).stdout).not.toContain('shared key');
});

test('doctor identifies each key, and names the services that still use the shared key', async () => {
  const url = await accessService();
  const accessLines = async (env: Record<string, string>) => {
    const { stdout } = await ran(url, ['doctor'], { env });
    return stdout.split('\n').filter((line) => / access /.test(line));
  };
  await postStored(url, anEvent({ service: 'pay-api', environment: 'prod' }));
  expect(await accessLines({ SHIPLOG_API_KEY: key, SHIPLOG_CONTROL_API_KEY: operator })).toEqual([
    'ok     access       SHIPLOG_API_KEY is the key payments (jenkins-payments), which may post for pay-* in prod.',
    'ok     access       SHIPLOG_CONTROL_API_KEY is the key operator (operator), which may control.',
    expect.stringMatching(
      /^note {3}access {7}The latest event of these services among .* was posted with the shared key: pay-api\. /,
    ),
  ]);
  expect(await accessLines({})).toEqual([
    'ok     access       SHIPLOG_API_KEY is the shared key.',
    expect.stringMatching(/^note {3}access/),
  ]);
});

const without = sharedService({ times: { heartbeatMs: 20 } });

test('without an access file, doctor names the shared key only', async () => {
  const { url } = await without();
  const { stdout } = await ran(url, ['doctor'], { env: { SHIPLOG_CONTROL_API_KEY: testKeys.control } });
  expect(stdout.split('\n').filter((line) => / access /.test(line))).toEqual([
    'ok     access       SHIPLOG_API_KEY is the shared key.',
    'ok     access       SHIPLOG_CONTROL_API_KEY is the shared key.',
  ]);
});
