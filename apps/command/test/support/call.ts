import type { Clock } from '@shiplog/client';
import { refuseSecrets, testKeys } from '@shiplog/testing';
import { runCommand } from '../../src/command.ts';
import { Failure } from '../../src/failure.ts';

export interface CallOptions {
  /** The address of the service. */
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Called with each text on standard output. */
  readonly onText?: (text: string) => void;
}

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `shiplog` in this process, by default as in a pipeline: without a terminal and with only this environment. */
export async function call(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  const { url, env = {}, stdin = '', isTerminal = false, columns, clock, onText } = options;
  const said = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    isTTY: isTerminal && name === 'out',
    ...(columns !== undefined && { columns }),
    write: (text: string) => {
      refuseSecrets(name, text);
      said[name] += text;
      if (name === 'out') onText?.(text);
    },
  });
  const code = await runCommand(args, {
    env: { SHIPLOG_API_KEY: testKeys.api, ...(url !== undefined && { SHIPLOG_URL: url }), ...env },
    stdin: piecesOf(stdin),
    stdout: sink('out'),
    stderr: sink('err'),
    signal: options.signal ?? new AbortController().signal,
    ...(clock && { clock }),
  });
  return { code, ...said };
}

/** Runs a command that reads the log of this service, in 120 columns. */
export async function ran(url: string, args: readonly string[], options: CallOptions = {}) {
  const { code, out: stdout, err: stderr } = await call(args, { url, columns: 120, ...options });
  return { code, stdout, stderr };
}

/** The failure of a command interrupted by Ctrl-C. */
export const interruption = new Failure(130, '');

/** Runs a continuous command until its output contains a text. */
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
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

/** A timeout that never expires on the hurried clock. */
export const forever = ['--timeout', '1h'] as const;

/** A clock on which delays between attempts end at once, but not the timeout `forever`. */
export const hurriedClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (ms < 3_600_000) setImmediate(resolve);
      else signal.addEventListener('abort', () => resolve(), { once: true });
    }),
};

/** Yields the text as a pipe does, cut in the middle of characters. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
