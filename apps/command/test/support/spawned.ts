import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { refuseSecrets, temporaryPlace, testKeys, Watchers } from '@shiplog/testing';
import { onTestFinished } from 'vitest';

/** The path of the built command. */
export const mainPath = join(import.meta.dirname, '../../dist/main.js');

/** The environment of a command that calls this service. */
export function environmentOf(url: string): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, TMPDIR: temporaryPlace, SHIPLOG_API_KEY: testKeys.api, SHIPLOG_URL: url };
}

/** `shiplog` as a process from the built files, killed after the test. */
export class Spawned {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  out = '';
  err = '';
  readonly #ended: Promise<number | null>;
  readonly #watchers = new Watchers();

  constructor(url: string, args: readonly string[], { env = {}, nodeArgs = [] }: SpawnedOptions = {}) {
    this.child = spawn(process.execPath, [...nodeArgs, mainPath, ...args], { env: { ...environmentOf(url), ...env } });
    this.child.stdin.on('error', () => undefined);
    for (const [name, stream] of [
      ['out', this.child.stdout],
      ['err', this.child.stderr],
    ] as const) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        refuseSecrets(name, text);
        this[name] += text;
        this.#watchers.changed();
      });
    }
    this.#ended = new Promise((resolve) => this.child.on('close', (code) => resolve(code)));
    onTestFinished(async () => {
      this.child.kill('SIGKILL');
      await this.#ended;
    });
  }

  /** Resolves once standard output contains this text. */
  said(text: string): Promise<void> {
    return this.#watchers.until(() => this.out.includes(text));
  }

  /** Resolves once this many lines are printed. */
  printed(lines: number): Promise<void> {
    return this.#watchers.until(() => this.out.split('\n').length > lines);
  }

  /** Resolves with the exit code, or with `null` after a signal. */
  ended(): Promise<number | null> {
    return this.#ended;
  }
}

interface SpawnedOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}
