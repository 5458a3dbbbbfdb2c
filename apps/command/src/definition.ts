import type { Context } from './context.ts';

export const groups = {
  programs: 'Programs',
  pipeline: 'In a pipeline',
  questions: 'Questions',
  data: 'Data in and out',
  holds: 'Freezes, locks and bad versions',
  outages: 'Outages',
  access: 'Access',
  installation: 'Installation',
} as const;

export interface OptionDefinition {
  /** Flags in commander's format: `--service <name>`, `-q, --quiet`, `--parent <id...>`. */
  readonly flags: string;
  /** A short description without a full stop. */
  readonly description: string;
  /** The accepted values, for help, completion and validation. */
  readonly choices?: readonly string[];
  /** Whether the option may be given several times. The value is then a list. */
  readonly isRepeatable?: boolean;
}

/** The options by camelCase name, and the arguments in order. */
export interface Given {
  readonly options: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
  /** The arguments after `--`. */
  readonly rest: readonly string[];
}

/**
 * A command as help, completion and parser need it. Every start loads all definitions, so `run` imports its
 * implementation only when called.
 */
export interface CommandDefinition {
  /** One word, or two where several commands are about one thing: `key new`. */
  readonly name: string;
  readonly group: keyof typeof groups;
  /** The summary in one sentence. */
  readonly summary: string;
  /** More sentences for the command's own help. */
  readonly more?: string;
  /** The arguments in commander's format: `<service> <environment>`, `[view]`, `<file...>`. */
  readonly args?: string;
  readonly options?: readonly OptionDefinition[];
  /** Examples as complete command lines. */
  readonly examples: readonly string[];
  /**
   * Whether the command becomes a program. If `args` is set, all arguments after the name are passed to the program
   * unparsed.
   */
  readonly passesThrough?: boolean;
  /** Resolves with the exit code. @throws Failure with a message for the user. */
  readonly run: (given: Given, context: Context) => Promise<number>;
}
