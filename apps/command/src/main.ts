import { constants } from 'node:os';
import { runCommand } from './command.ts';
import { commands } from './commands/commands.ts';
import { Failure, failureOf } from './failure.ts';
import { isHangupIgnored } from './hangup.ts';
import { standardOutput } from './standard-output.ts';

const [, , ...args] = process.argv;
const { env, stdin, stdout, stderr } = process;

/** Aborted by SIGINT, SIGTERM and SIGHUP, with a failure without a message. A program handles these signals itself. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const ignoresHangup = isHangupIgnored(env);
  if (ignoresHangup) process.on('SIGHUP', () => undefined);
  if (commands.some(({ name, passesThrough }) => passesThrough && name === args[0])) return stopping.signal;
  // A command never ends with a stack trace (command.md 10.14).
  process.on('uncaughtException', (error) => {
    const { message, code } = failureOf(error);
    stderr.write(`${message}\n`);
    process.exit(code);
  });
  for (const name of ['SIGINT', 'SIGTERM', ...(ignoresHangup ? [] : (['SIGHUP'] as const))] as const) {
    process.on(name, () => stopping.abort(new Failure(128 + constants.signals[name], '')));
  }
  return stopping.signal;
}

stderr.on('error', () => undefined);
const around = { env, stdin, stdout: standardOutput(stdout), stderr, signal: stopSignal() };
process.exitCode = await runCommand(args, around);
