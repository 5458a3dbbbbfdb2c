import type { Clock } from '@shiplog/client';
import { refuseSecrets, testKeys } from '@shiplog/testing';
import { runCommand } from '../../src/command.ts';
import { Failure } from '../../src/failure.ts';

/** The result of a command line. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Called with each text on standard output. */
  readonly onText?: (text: string) => void;
}

/** The failure of a command interrupted by Ctrl-C. */
export const interruption = new Failure(130, '');

/** Runs a command line in this process, as the binary does, with the keys of a test service. */
export async function ran(url: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const texts = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({
    isTTY: options.isTerminal === true && name === 'stdout',
    columns: options.columns ?? 120,
    write: (text: string) => {
      refuseSecrets(name, text);
      texts[name] += text;
      if (name === 'stdout') options.onText?.(text);
    },
  });
  const code = await runCommand(args, {
    env: { SHIPLOG_URL: url, SHIPLOG_API_KEY: testKeys.api, ...options.env },
    stdin: (async function* () {})(),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    signal: options.signal ?? new AbortController().signal,
    ...(options.clock && { clock: options.clock }),
  });
  return { code, ...texts };
}

/** Runs a continuous command until its output contains a text. Returns the output. */
export async function ranUntil(url: string, args: readonly string[], text: string, during: () => Promise<unknown>) {
  const stopping = new AbortController();
  let stdout = '';
  const onText = (piece: string) => {
    stdout += piece;
    if (stdout.includes(text)) stopping.abort(interruption);
  };
  const running = ran(url, args, { signal: stopping.signal, onText });
  await during();
  return running;
}

/** The JSON documents that a command printed, one per line. */
export function documents(stdout: string): unknown[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
