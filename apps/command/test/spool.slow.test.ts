import { hangs, ScriptedServer, testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { call } from './support/call.ts';
import { sharedLog } from './support/service.ts';
import { Spawned } from './support/spawned.ts';

const { emptyLog, meddledLog } = sharedLog();
const event = (id: string) => [
  ...['post', '--service', 'api', '--environment', 'prod', '--status', 'success'],
  ...['--deployment-id', id],
];

test('the next call takes over the lock of a killed call and sends its event', async () => {
  const [folder, server, log] = [await testFolder(), await ScriptedServer.open(hangs), await emptyLog()];
  const killed = new Spawned(server.url, [...event('d-1'), '--spool', folder]);
  await server.asked(1);
  killed.child.kill('SIGKILL');
  expect(await killed.ended()).toBe(null);
  expect((await call([...event('d-2'), '--spool', folder], { url: log.url })).code).toBe(0);
  expect((await log.rows()).map(({ deployment_id }) => deployment_id)).toEqual(['d-1', 'd-2']);
});

test('the next call does not duplicate the event of a call that was killed after the commit', async () => {
  const folder = await testFolder();
  let killed: Spawned | undefined;
  const log = await meddledLog({
    answered: ({ method }) => {
      if (method === 'POST' && killed?.child.killed === false) killed.child.kill('SIGKILL');
      return 'whole';
    },
  });
  killed = new Spawned(log.url, [...event('d-1'), '--spool', folder]);
  expect(await killed.ended()).toBe(null);
  expect((await call([...event('d-2'), '--spool', folder], { url: log.directUrl })).code).toBe(0);
  expect((await log.rows()).map(({ deployment_id }) => deployment_id)).toEqual(['d-1', 'd-2']);
});
