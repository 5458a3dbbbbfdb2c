import { anEvent, clientOf, postStored, sharedService } from '@shiplog/testing';
import { beforeAll, expect, test } from 'vitest';
import { refuseUnknown } from '../src/log/known-names.ts';
import { ran } from './support/call.ts';

let url: string;
const empty = sharedService();
beforeAll(async () => {
  ({ url } = await empty());
  await postStored(url, anEvent({ service: 'api', environment: 'staging', version: '2' }));
  await postStored(url, anEvent({ service: 'web', environment: 'prod', version: '2' }));
});

const release = ['--service', 'api', '--version', '2'];
const noEnvironment = 'The log has no environment "prdo". Known environments: prod, staging.\n';
const noService = (name: string) => `The log has no service ${JSON.stringify(name)}. Known services: api, web.\n`;

test.each<[string[], string]>([
  [['can-promote', ...release, '--from', 'staging', '--to', 'prdo'], noEnvironment],
  [['can-promote', ...release, '--from', 'prdo', '--to', 'prod'], noEnvironment],
  [['can-promote', '--service', 'ap', '--version', '2', '--from', 'staging', '--to', 'prod'], noService('ap')],
  [['diff', 'staging', 'prdo'], noEnvironment],
  [['diff', 'staging', 'prod', '--services', 'pay-*'], noService('pay-*')],
  [['history', 'api', 'prdo'], noEnvironment],
  [['history', 'ap', 'prod'], noService('ap')],
  [['board', '--environments', 'prod', '--environments', 'prdo'], noEnvironment],
  [['board', '--services', 'pay-*', '--json'], noService('pay-*')],
])('refuses the unknown name in %j and lists the known names', async (args, stderr) => {
  expect(await ran(url, args)).toEqual({ code: 2, stdout: '', stderr });
});

test('known environments without a common service are compared', async () => {
  expect(await ran(url, ['diff', 'prod', 'staging', '--services', 'a*'])).toMatchObject({ code: 0 });
});

test.each([
  [[...Array(23).keys()].map((n) => `s${n + 10}`), / "x\\\\u\{1b\}"\. Known services: s10, .*, s29 and 3 more\.$/],
  [[], /The log is empty\.$/],
])('only the first of many known names are listed (%#)', async (items, sentence) => {
  const listServices = async () => ({ status: 200, headers: new Headers(), body: { items } });
  const client = { ...clientOf(url), listServices };
  const { signal } = new AbortController();
  await expect(refuseUnknown(client, { services: ['x\u001b'] }, signal)).rejects.toThrow(sentence);
});
