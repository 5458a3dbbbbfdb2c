import { CommanderError } from 'commander';
import { commandLine, type GlobalOptions, mistakeOf } from './command-line.ts';
import { commands } from './commands/commands.ts';
import { type ContextOptions, createContext } from './context.ts';
import type { CommandDefinition, Given } from './definition.ts';
import { exitCodes, failureOf } from './failure.ts';

/** The process environment of a command; tests pass their own. */
export type CommandContext = Omit<ContextOptions, keyof GlobalOptions>;

/** Runs the command line. Errors go to standard error. Resolves with the exit code. */
export async function runCommand(args: readonly string[], around: CommandContext): Promise<number> {
  let code: number = exitCodes.done;
  const start = async (definition: CommandDefinition | undefined, given: Given, globals: GlobalOptions) => {
    code = await startCommand(definition, given, createContext({ ...globals, ...around }));
  };
  const tell = (sentence: string) => sentence !== '' && around.stderr.write(`${sentence}\n`);
  try {
    await commandLine(commands, start, around.stdout).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      const mistake = mistakeOf(error);
      tell(mistake ?? '');
      return mistake === undefined ? exitCodes.done : exitCodes.usage;
    }
    const failure = failureOf(error);
    tell(failure.message);
    return failure.code;
  }
}

async function startCommand(
  definition: CommandDefinition | undefined,
  given: Given,
  context: ReturnType<typeof createContext>,
): Promise<number> {
  if (definition) return definition.run(given, context);
  const { overview } = await import('./overview.ts');
  return overview(commands, context);
}
