import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';

/** For each request, prints the time from `Date.now` and from `new Date`. */
const program = `process.stdin.on('data', () => console.log(JSON.stringify([Date.now(), new Date().getTime(), new Date(7).getTime()])))`;

test('the fault harness can move the clock of an instance', async () => {
  const folder = await testFolder();
  const clock = join(folder, 'clock');
  await writeFile(clock, '5000000');
  const child = spawn(process.execPath, ['--import', new URL('./inside.js', import.meta.url).href, '-e', program], {
    env: { FAULTS_CLOCK_FILE: clock, FAULTS_ACCOUNT_FILE: join(folder, 'account') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const times = async (): Promise<number[]> => {
    child.stdin.write('?');
    return JSON.parse(String((await once(child.stdout, 'data'))[0]));
  };
  for (const aheadMs of [0, 3_600_000, -86_400_000]) {
    await writeFile(clock, String(aheadMs));
    // The first response shows that the program handles signals.
    await times();
    child.kill('SIGUSR2');
    let now: number[] = [];
    do now = await times();
    while (Math.abs((now[0] ?? 0) - Date.now() - aheadMs) > 60_000);
    expect(Math.abs((now[1] ?? 0) - (now[0] ?? 0))).toBeLessThan(1000);
    expect(now[2]).toBe(7);
  }
});
