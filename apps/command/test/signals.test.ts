import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { testKeys, Watchers } from '@shiplog/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sharedLog } from './support/service.ts';
import { mainPath } from './support/spawned.ts';

const { emptyLog } = sharedLog();

/** Runs a shell command line in its own process group. In the line, `shiplog` is the built command. */
class Line {
  readonly child: ChildProcess;
  out = '';
  readonly #watchers = new Watchers();
  readonly #ended: Promise<number | null>;

  constructor(file: string, args: readonly string[], url: string) {
    const env = { PATH: process.env.PATH ?? '', SHIPLOG_URL: url, SHIPLOG_API_KEY: testKeys.api };
    this.child = spawn(file, args, { env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      this.#watchers.changed();
    });
    this.#ended = new Promise((resolve) => this.child.on('close', resolve));
    onTestFinished(() => {
      try {
        process.kill(-(this.child.pid ?? 0), 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    });
  }

  said(text: string): Promise<void> {
    return this.#watchers.until(() => this.out.includes(text));
  }

  ended(): Promise<number | null> {
    return this.#ended;
  }
}

const shiplog = `'${process.execPath}' '${mainPath}'`;
const run = `${shiplog} run --service api --environment prod`;

/** Counts SIGINT signals, and exits with the count on SIGUSR2. */
const counter = `
let count = 0;
process.on('SIGINT', () => console.log('interrupted ' + ++count));
process.on('SIGUSR2', () => console.log('count ' + count) ?? process.exit());
setInterval(() => undefined, 60_000);
console.log('parent ' + process.ppid);`;

/** The terminal is created by script, which every Debian system has. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;
if (!hasTerminal)
  process.stderr.write('Tests of signals from a terminal are skipped: script of util-linux is missing.\n');

describe.skipIf(!hasTerminal)('signals from a terminal', () => {
  test.each([
    ['Ctrl-C', ''],
    ['Ctrl-C', '< /dev/null'],
    ['kill -INT', ''],
    ['kill -INT', '< /dev/null'],
  ])('%s reaches a command once, with %j as standard input', async (how, input) => {
    const log = await emptyLog();
    const command = `trap : INT; ${run} -- '${process.execPath}' -e "${counter}" ${input}; exit $?`;
    const line = new Line('script', ['-qefc', command, '/dev/null'], log.url);
    await line.said('parent ');
    const pid = Number(/parent (\d+)/.exec(line.out)?.[1]);
    // The command must handle the terminal's signal before a forwarded one arrives, because two pending signals count
    // as one.
    process.kill(pid, 'SIGSTOP');
    if (how === 'Ctrl-C') {
      line.child.stdin?.write('\u0003');
      await line.said('interrupted');
    } else process.kill(pid, 'SIGINT');
    process.kill(pid, 'SIGCONT');
    await line.said('interrupted');
    process.kill(pid, 'SIGUSR2');
    expect(await line.ended()).toBe(0);
    expect(line.out).toContain('count 1');
  });
});

test.each([
  ['the shell that starts it', ['sh', '-c', `trap '' HUP; ${run} -- "$0" "$@"; exit $?`]],
  ['nohup', ['bash', '--norc', '-c', `nohup ${run} -- "$0" "$@"; exit $?`]],
])('if %s ignores SIGHUP, so does the command', async (_, [file = '', ...args]) => {
  const log = await emptyLog();
  const line = new Line(file, [...args, 'sh', '-c', 'echo ready; read line; echo survived; exit 3'], log.url);
  await line.said('ready');
  // Bash itself does not run under nohup.
  for (const pid of await groupOf(line.child.pid ?? 0)) process.kill(pid, 'SIGHUP');
  line.child.stdin?.end('go on\n');
  expect([await line.ended(), line.out]).toEqual([3, expect.stringContaining('survived')]);
  expect((await log.rows()).map(({ status }) => status)).toEqual(['in-progress', 'failure']);
});

/** The processes of a group except the first. */
async function groupOf(leader: number): Promise<number[]> {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '-g', String(leader)], { encoding: 'utf8' });
  return stdout
    .trim()
    .split(/\s+/)
    .map(Number)
    .filter((pid) => pid !== leader);
}
