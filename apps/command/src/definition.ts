import type { Context } from './context.ts';

/** Under which heading of the help a command is listed. */
export const groups = {
  programs: 'Programs',
  pipeline: 'In a pipeline',
  questions: 'Questions',
  data: 'Data in and out',
  installation: 'Installation',
} as const;

export interface OptionDefinition {
  /** As commander takes them: `--service <name>`, `-q, --quiet`, `--parent <id...>`. */
  readonly flags: string;
  /** What it does, in a few words without a full stop. */
  readonly description: string;
  /** The values that it takes, for the help, for completion, and for the refusal of others. */
  readonly choices?: readonly string[];
  /** May be given several times; the option is then the list of its values. */
  readonly isRepeatable?: boolean;
}

/** What was given: the options by their names in camelCase, and the arguments in order. */
export interface Given {
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
  /** What came after `--`. */
  readonly rest: readonly string[];
}

/**
 * One command: all that the help, the completion and the parser need, and nothing heavy, because every start loads all
 * definitions. `run` imports what it needs when it runs.
 */
export interface CommandDefinition {
  readonly name: string;
  readonly group: keyof typeof groups;
  /** One sentence. */
  readonly summary: string;
  /** What else its own help says, in whole sentences. */
  readonly more?: string;
  /** As commander takes them: `<service> <environment>`, `[view]`, `<file...>`. */
  readonly args?: string;
  readonly options?: readonly OptionDefinition[];
  /** Whole lines as they are typed. */
  readonly examples: readonly string[];
  /** Its process is that of a program. With `args`, everything after the name belongs to the program and is not parsed. */
  readonly passesThrough?: boolean;
  /** Resolves with the exit code. @throws Failure for an end with a sentence. */
  readonly run: (given: Given, context: Context) => Promise<number>;
}
