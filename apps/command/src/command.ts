import { CommanderError } from 'commander';
import { commandLine, type GlobalOptions, usageErrorOf } from './command-line.ts';
import { commands } from './commands/commands.ts';
import { type ContextOptions, createContext } from './context.ts';
import type { CommandDefinition, Given } from './definition.ts';
import { exitCodes, failureOf } from './failure.ts';

/** The process environment of a command. Tests pass their own. */
export type CommandContext = Omit<ContextOptions, keyof GlobalOptions>;

/** Runs a command line and prints errors to standard error. Resolves with the exit code. */
export async function runCommand(args: readonly string[], around: CommandContext): Promise<number> {
  let code: number = exitCodes.done;
  const start = async (definition: CommandDefinition | undefined, given: Given, globals: GlobalOptions) => {
    const context = createContext({ ...globals, ...around });
    code = definition
      ? await definition.run(given, context)
      : await (await import('./overview.ts')).overview(commands, context);
  };
  const print = (sentence: string) => sentence !== '' && around.stderr.write(`${sentence}\n`);
  try {
    await commandLine(commands, start, around.stdout).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      const sentence = usageErrorOf(error);
      print(sentence ?? '');
      return sentence === undefined ? exitCodes.done : exitCodes.usage;
    }
    const failure = failureOf(error);
    print(failure.message);
    return failure.code;
  }
}
