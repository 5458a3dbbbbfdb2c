import { productVersion } from '@shiplog/contract/version';
import { escapeUnsafe } from '@shiplog/text';
import { Command, type CommanderError, Option } from 'commander';
import { type CommandDefinition, type Given, groups } from './definition.ts';
import { usageFailure } from './failure.ts';
import type { Sink } from './output.ts';

/** Options that every command accepts, before or after its name. */
export interface GlobalOptions {
  readonly url?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export type Start = (definition: CommandDefinition | undefined, given: Given, globals: GlobalOptions) => Promise<void>;

export const globalOptions: readonly (readonly [flags: string, description: string])[] = [
  ['--url <url>', 'address of the service (default: SHIPLOG_URL, else http://127.0.0.1:3000)'],
  ['--json', 'print the API response as JSON: one document, or one line per item'],
  ['-q, --quiet', 'print only results and errors'],
];

const examples = [
  'shiplog demo',
  'SHIPLOG_URL=https://shiplog.acme.org shiplog',
  'shiplog run --service payments-api --environment prod --version 1.4.2 -- ./deploy.sh',
  'shiplog post --help',
];

function examplesText(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/**
 * The parser of the command line. It prints help to the sink, and calls `start` without a definition if no command is
 * given.
 */
export function commandLine(definitions: readonly CommandDefinition[], start: Start, help: Sink): Command {
  const program = new Command('shiplog')
    .description('The live log of what is deployed where.')
    .version(productVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', examplesText(examples))
    .exitOverride()
    .enablePositionalOptions()
    // An unknown command gets a better message than commander's, even if options follow it.
    .allowExcessArguments()
    .allowUnknownOption()
    .action((_options, command: Command) => {
      const [word] = command.args;
      if (word !== undefined) throw unknownCommand(word, definitions);
      return start(undefined, { options: {}, args: [], rest: [] }, command.opts());
    });
  addGlobals(program);
  for (const definition of definitions) {
    const parent = definition.name.includes(' ') ? familyOf(definition, definitions, program) : program;
    parent.addCommand(subcommand(definition, start));
  }
  // The caller prints usage errors like any other error.
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])]) {
    command.configureOutput({ outputError: () => undefined, writeOut: (text) => help.write(text) });
  }
  return program;
}

/** The command whose subcommands are those with the same first word. */
function familyOf({ name, group }: CommandDefinition, all: readonly CommandDefinition[], program: Command): Command {
  const [family = ''] = name.split(' ');
  const known = program.commands.find((command) => command.name() === family);
  if (known) return known;
  const words = all.flatMap((each) => (each.name.startsWith(`${family} `) ? (each.name.split(' ')[1] ?? []) : []));
  const created = new Command(family)
    .summary(`Commands: ${words.join(', ')}.`)
    .helpGroup(`${groups[group]}:`)
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .allowExcessArguments()
    .allowUnknownOption()
    .action((_options, command: Command) => {
      const [word] = command.args;
      const sentence = `shiplog ${family} needs one of: ${words.join(', ')}.`;
      throw usageFailure(word === undefined ? sentence : `Unknown command ${family} ${shownWord(word)}; ${sentence}`);
    });
  program.addCommand(created);
  return created;
}

function shownWord(word: string): string {
  return JSON.stringify(escapeUnsafe(word));
}

function unknownCommand(word: string, definitions: readonly CommandDefinition[]): Error {
  const shown = shownWord(word);
  if (word.startsWith('-')) return usageFailure(`Unknown option ${shown}. Run shiplog --help for a list.`);
  const near = definitions.find(({ name }) => name.startsWith(word) || word.startsWith(name));
  const hint = near ? ` Did you mean ${near.name}?` : '';
  return usageFailure(`Unknown command ${shown}.${hint} Run shiplog --help for a list.`);
}

/**
 * A parser error as a sentence that says what to do. Returns `undefined` if the parser only printed help or the
 * version.
 */
export function usageErrorOf(error: CommanderError): string | undefined {
  if (error.exitCode === 0) return undefined;
  const [message = ''] = error.message.replace(/^error: /, '').split('\n');
  const text = escapeUnsafe(message).replace(/\.$/, '');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}; see --help.`;
}

function addGlobals(command: Command): void {
  for (const [flags, description] of globalOptions) command.option(flags, description);
}

function subcommand(definition: CommandDefinition, start: Start): Command {
  const command = new Command(definition.name.split(' ').at(-1) ?? '')
    .summary(definition.summary)
    .description([definition.summary, definition.more].filter(Boolean).join('\n\n'))
    .helpGroup(`${groups[definition.group]}:`)
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .addHelpText('after', examplesText(definition.examples));
  if (definition.args !== undefined) command.arguments(definition.args);
  for (const { flags, description, choices, isRepeatable } of definition.options ?? []) {
    const option = new Option(flags, description);
    if (choices) option.choices(choices);
    if (isRepeatable) {
      // Commander checks the choices in its own parser, which this one replaces.
      const check = option.parseArg;
      option.argParser((value, earlier: readonly string[] = []) => {
        check?.(value, undefined);
        return [...earlier, value];
      });
    }
    command.addOption(option);
  }
  if (!definition.passesThrough) addGlobals(command);
  else if (definition.args !== undefined) command.allowUnknownOption().passThroughOptions();
  return command.action((...parameters) => {
    const options = parameters.at(-2) as Record<string, unknown>;
    const { args, rest } = split(command);
    return start(definition, { options, args, rest }, { ...rootOf(command).opts(), ...options });
  });
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/** Separates the arguments before `--` from those after it, because commander returns one list. */
function split(command: Command): { args: string[]; rest: string[] } {
  const { rawArgs: raw } = rootOf(command) as Command & { rawArgs: string[] };
  const at = raw.indexOf('--');
  const count = at < 0 ? 0 : raw.length - at - 1;
  const boundary = command.args.length - count;
  return { args: command.args.slice(0, boundary), rest: command.args.slice(boundary) };
}
