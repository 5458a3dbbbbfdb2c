import { styleText } from 'node:util';
import { escapeUnsafe, escapeUnsafeJson } from '@shiplog/text';

/** A text stream. Tests pass their own. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

type Style = Parameters<typeof styleText>[0];

/**
 * Results go to standard output, everything else to standard error (command.md 1.3). Event texts are user-supplied:
 * `text` escapes their control characters.
 */
export class Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether standard output is a terminal, for which tables and colour are printed. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly #hasColour: boolean;
  readonly #options: OutputOptions;

  constructor(options: OutputOptions) {
    this.#options = options;
    this.isJson = options.json ?? false;
    this.isQuiet = options.quiet ?? false;
    this.isTerminal = options.stdout.isTTY ?? false;
    this.columns = options.stdout.columns ?? 80;
    this.#hasColour = this.isTerminal && (options.env.NO_COLOR ?? '') === '' && options.env.TERM !== 'dumb';
  }

  line(text: string): void {
    this.#options.stdout.write(`${text}\n`);
  }

  /** Prints a result document exactly as the API returned it. */
  json(value: unknown): void {
    this.line(escapeUnsafeJson(JSON.stringify(value)));
  }

  note(text: string): void {
    if (!this.isQuiet) this.#options.stderr.write(`${text}\n`);
  }

  warn(text: string): void {
    this.#options.stderr.write(`${text}\n`);
  }

  /** The terminal for progress bars; `undefined` if there is no terminal. */
  get progress(): NodeJS.WriteStream | undefined {
    const { stderr } = this.#options;
    return stderr.isTTY && !this.isQuiet ? (stderr as NodeJS.WriteStream) : undefined;
  }

  text(value: string): string {
    return escapeUnsafe(value);
  }

  styled(style: Style, text: string): string {
    return this.#hasColour ? styleText(style, text, { validateStream: false }) : text;
  }
}
