import { constants } from 'node:os';
import { runCommand } from './command.ts';
import { commands } from './commands/commands.ts';
import { exitCodes, Failure } from './failure.ts';

const [, , ...args] = process.argv;
const { env, stdin, stdout, stderr } = process;

/** Aborted with the end that a signal asks for, which has nothing to say. A program that is run takes its own signals. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  if (commands.some(({ name, passesThrough }) => passesThrough && name === args[0])) return stopping.signal;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => stopping.abort(new Failure(128 + constants.signals[name], '')));
  }
  return stopping.signal;
}

// Whoever reads a pipe may go before its end, as `head` does.
stdout.on('error', () => process.exit(exitCodes.done));
stderr.on('error', () => undefined);
process.exitCode = await runCommand(args, { env, stdin, stdout, stderr, signal: stopSignal() });
