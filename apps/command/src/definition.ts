import type { Context } from './context.ts';

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
  /** A few words without a full stop. */
  readonly description: string;
  /** The accepted values, for help, completion and validation. */
  readonly choices?: readonly string[];
  /** May be given several times; the value is then a list. */
  readonly isRepeatable?: boolean;
}

/** The options by camelCase name, and the arguments in order. */
export interface Given {
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
  /** What came after `--`. */
  readonly rest: readonly string[];
}

/**
 * A command as help, completion and parser need it. Every start loads all definitions, so `run` imports its
 * implementation only when it runs.
 */
export interface CommandDefinition {
  readonly name: string;
  readonly group: keyof typeof groups;
  /** One sentence. */
  readonly summary: string;
  /** Further sentences for the command's own help. */
  readonly more?: string;
  /** As commander takes them: `<service> <environment>`, `[view]`, `<file...>`. */
  readonly args?: string;
  readonly options?: readonly OptionDefinition[];
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** The command becomes a program. With `args`, everything after the name goes to the program unparsed. */
  readonly passesThrough?: boolean;
  /** Resolves with the exit code. @throws Failure with a message for the user. */
  readonly run: (given: Given, context: Context) => Promise<number>;
}
