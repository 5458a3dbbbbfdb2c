import type { Clock } from '@shiplog/client';
import { testKeys } from '@shiplog/testing';
import { runCommand } from '../../src/command.ts';

export interface CallOptions {
  /** The address of the service. */
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `shiplog` in this process as in a pipeline: without a terminal and with only this environment. */
export async function call(args: readonly string[], options: CallOptions = {}): Promise<Called> {
  const { url, env = {}, stdin = '', clock, signal = new AbortController().signal } = options;
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand(args, {
    env: { SHIPLOG_API_KEY: testKeys.api, ...(url !== undefined && { SHIPLOG_URL: url }), ...env },
    stdin: piecesOf(stdin),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    signal,
    ...(clock && { clock }),
  });
  return { code, out: out.join(''), err: err.join('') };
}

/** Yields the text as a pipe does, cut in the middle of characters. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
