import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { testKeys, Watchers } from '@shiplog/testing';
import { onTestFinished } from 'vitest';

/** The path of the built command. */
export const mainPath = join(import.meta.dirname, '../../dist/main.js');

/** `shiplog` as a process from the built files, killed after the test. */
export class Spawned {
  readonly child: ChildProcess;
  out = '';
  err = '';
  readonly #ended: Promise<number | null>;
  readonly #watchers = new Watchers();

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, [mainPath, ...args], { env: { PATH, SHIPLOG_API_KEY: testKeys.api, ...env } });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
      this.#watchers.changed();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
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

  /** Resolves with the exit code, or with `null` after a signal. */
  ended(): Promise<number | null> {
    return this.#ended;
  }
}
