import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { refuseSecrets, temporaryPlace, testKeys } from '@shiplog/testing';
import { onTestFinished } from 'vitest';

export const binaryPath = join(import.meta.dirname, '../../dist/main.js');

export function binaryEnvironment(url: string): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, TMPDIR: temporaryPlace, SHIPLOG_URL: url, SHIPLOG_API_KEY: testKeys.api };
}

/** The built command as a process that is killed after the test. */
export class BinaryProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  stdout = '';
  stderr = '';
  readonly #exited: Promise<number | null>;

  constructor(url: string, args: readonly string[], nodeArgs: readonly string[] = []) {
    this.child = spawn(process.execPath, [...nodeArgs, binaryPath, ...args], {
      env: binaryEnvironment(url),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name].setEncoding('utf8').on('data', (text: string) => {
        refuseSecrets(name, text);
        this[name] += text;
        this.child.emit('said');
      });
    }
    this.child.stdin.on('error', () => undefined);
    this.#exited = new Promise((resolve) => this.child.on('close', (code) => resolve(code)));
    onTestFinished(async () => {
      this.child.kill('SIGKILL');
      await this.#exited;
    });
  }

  /** Resolves with the exit code, or with `null` after a signal. */
  exited(): Promise<number | null> {
    return this.#exited;
  }

  /** Resolves when this many lines are printed or the process has ended. */
  async printed(lines: number): Promise<void> {
    const has = () => this.stdout.split('\n').length > lines;
    while (!has() && this.child.exitCode === null) {
      await Promise.race([new Promise((resolve) => this.child.once('said', resolve)), this.#exited]);
    }
  }
}
