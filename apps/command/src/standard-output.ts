import { fstatSync, writeSync } from 'node:fs';
import { exitCodes, Failure } from './failure.ts';
import type { Sink } from './output.ts';

/**
 * Standard output. To a file, every text is written synchronously and completely: Node's stream treats a short write as
 * complete, so on a full disk an export would be cut off and still exit with code 0. A failed write to a file throws a
 * Failure.
 */
export function standardOutput(stdout: NodeJS.WriteStream): Sink {
  // A reader such as head may close a pipe early. Any other error means that output was lost.
  stdout.on('error', (error) => {
    if (codeOf(error) === 'EPIPE') process.exit(exitCodes.done);
    const { message, code } = writeFailure(error);
    process.stderr.write(`${message}\n`);
    process.exit(code);
  });
  const kind = fstatSync(1);
  const isFile = kind.isFile() || (kind.isCharacterDevice() && !stdout.isTTY);
  return isFile ? { write: (text) => writeWhole(Buffer.from(text)) } : stdout;
}

function writeWhole(bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
  } catch (error) {
    throw writeFailure(error);
  }
}

function writeFailure(error: unknown): Failure {
  const sentence = `Can't write the output (${codeOf(error)}). Free some space and run the command again.`;
  return new Failure(exitCodes.no, sentence, error);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
