import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { mainPath } from './support/spawned.ts';

/** Runs a shell command line in which `shiplog` is the built command. */
function shell(line: string, url = 'http://127.0.0.1:9') {
  const { PATH = '' } = process.env;
  const env = { PATH, SHIPLOG_URL: url };
  return spawnSync('bash', ['--norc', '-c', `shiplog() { '${process.execPath}' '${mainPath}' "$@"; }\n${line}`], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
}

describe('a full disk', () => {
  test('a full disk stops a command with a message and exit code 1', () => {
    const { status, stderr } = shell('shiplog completion bash > /dev/full');
    expect([status, stderr]).toEqual([
      1,
      "Can't write the output (ENOSPC). Free some space and run the command again.\n",
    ]);
  });

  test('a full disk is detected even in the middle of the last text', async () => {
    const path = join(await testFolder(), 'out');
    const { status, stderr } = shell(`trap '' XFSZ; ulimit -f 2; shiplog completion bash > ${path}`);
    expect([status, stderr]).toEqual([1, expect.stringContaining("Can't write the output (EFBIG).")]);
    expect((await stat(path)).size).toBe(2048);
  });
});
