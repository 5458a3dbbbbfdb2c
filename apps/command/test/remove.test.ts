import { anEvent, clientOf, postStored, testKeys } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { call } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyLog } = sharedLog();
const withKey = { env: { SHIPLOG_CONTROL_API_KEY: testKeys.control } };

test('remove deletes an incorrect event and stores the reason', async () => {
  const log = await emptyLog();
  const event = await postStored(log.url, anEvent());
  const ended = await call(['remove', event.id, '--reason', 'a "test"'], { url: log.url, ...withKey });
  expect(ended).toEqual({ code: 0, out: `Removed ${event.id}.\n`, err: '' });
  expect(await log.rows()).toEqual([]);
  const { items } = (await clientOf(log.url).listRemovals()).body;
  expect(items).toMatchObject([{ event, reason: 'a "test"' }]);
});

test.each([
  ['without a reason', [], withKey, 2, '--reason is required'],
  ['with an empty reason', ['--reason', ''], withKey, 3, '/reason'],
  ['without a key', ['--reason', 'x'], { env: {} }, 2, 'SHIPLOG_CONTROL_API_KEY is not set'],
  [
    'with another key',
    ['--reason', 'x'],
    { env: { SHIPLOG_CONTROL_API_KEY: 'w' } },
    3,
    'Set SHIPLOG_CONTROL_API_KEY to',
  ],
] as const)('remove %s removes nothing and says what to do', async (_, args, given, code, sentence) => {
  const log = await emptyLog();
  const { id } = await postStored(log.url, anEvent());
  const ended = await call(['remove', id, ...args], { url: log.url, ...given });
  expect(ended.code).toBe(code);
  expect(ended.err).toContain(sentence);
  expect(await log.rows()).toHaveLength(1);
});

test('removing an event that is not in the log is refused', async () => {
  const log = await emptyLog();
  const ended = await call(['remove', 'no-uuid', '--reason', 'x'], { url: log.url, ...withKey });
  expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('No deployment event has this id.') });
});
