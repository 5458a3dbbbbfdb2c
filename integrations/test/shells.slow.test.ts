import { testKeys } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { emptyMock, has, pathWith, run, script } from './support/steps.ts';

const standing = ['od', 'awk', 'sed', 'tr', 'cut', 'tail', 'grep', 'mktemp', 'rm', 'cat', 'date', 'sleep', 'timeout'];
/** Each shell with the arguments before the script. */
const shells: readonly (readonly [string, readonly string[]])[] = [
  ['dash', []],
  ['bash', []],
  ['busybox', ['sh']],
];
const service = '"\\ \n\té😀 $(id) %s';
const deployment = ['--service', service, '--environment', 'p', '--status', 'success', '--deployment-id', 'd'];
const event = [...deployment, '--happened-at', '2026-05-04T09:12:02Z', '--timeout', '0'];

describe.each(shells)('in %s', (shell, args) => {
  test.skipIf(!has(shell)).each(['curl', 'wget'])('the script posts the same event once with %s', async (client) => {
    const PATH = await pathWith([...standing, shell, client]);
    const { url, events } = await emptyMock();
    const environment = { PATH, SHIPLOG_URL: url, SHIPLOG_API_KEY: testKeys.api };
    for (const known of ['', 'the log already has this event']) {
      const { code, stderr } = await run(shell, [...args, script, ...event], environment);
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(known) });
    }
    expect(await events()).toMatchObject([{ service, environment: 'p', status: 'success' }]);
    const refused = { ...environment, SHIPLOG_API_KEY: 'secret-of-nobody' };
    expect(await run(shell, [...args, script, ...deployment], refused)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('with 401'),
    });
    const away = { ...environment, SHIPLOG_URL: 'http://127.0.0.1:1' };
    expect(await run(shell, [...args, script, ...event], away)).toMatchObject({ code: 4 });
  });
});

test.skipIf(!has('busybox'))('the wget of busybox, which shows headers to every user, never gets the key', async () => {
  const applets = [...standing, 'wget', 'sh'];
  const scripts = Object.fromEntries(applets.map((name) => [name, `exec /bin/busybox ${name} "$@"`]));
  const PATH = await pathWith(['busybox'], scripts);
  const { url, events } = await emptyMock();
  const key = { PATH, SHIPLOG_URL: url, SHIPLOG_API_KEY: testKeys.api };
  const { code, stderr } = await run('busybox', ['sh', script, ...event], key);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('install curl') });
  const { SHIPLOG_API_KEY, ...open } = key;
  expect(await run('busybox', ['sh', script, ...event.slice(0, 8)], open)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('with 401'),
  });
  expect(await events()).toEqual([]);
});

test.skipIf(!has('shellcheck'))('shellcheck reports nothing for the script', async () => {
  const { stdout } = await run('shellcheck', [script, new URL('../bitbucket/pipe.sh', import.meta.url).pathname]);
  expect(stdout).toBe('');
});
