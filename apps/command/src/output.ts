import { styleText } from 'node:util';
import { escapeUnsafe, escapeUnsafeJson } from '@shiplog/text';

/** Where text goes: a stream of the process, or what a test reads. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a terminal. */
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
 * Where a command writes: results on standard output, everything else on standard error (command.md 1.3). Texts of
 * events are data from strangers: `text` shows their control characters as escapes.
 */
export class Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** A terminal shows the results; tables and colour are for it alone. */
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

  /** A line of the result. */
  line(text: string): void {
    this.#options.stdout.write(`${text}\n`);
  }

  /** One document of the result, exactly what the API gave. */
  json(value: unknown): void {
    this.line(escapeUnsafeJson(JSON.stringify(value)));
  }

  /** What is said beside the result; silent under --quiet. */
  note(text: string): void {
    if (!this.isQuiet) this.#options.stderr.write(`${text}\n`);
  }

  /** A warning or an error: said under --quiet, too. */
  warn(text: string): void {
    this.#options.stderr.write(`${text}\n`);
  }

  /** Where the progress of long work is drawn; none where nobody watches it. */
  get progress(): NodeJS.WriteStream | undefined {
    const { stderr } = this.#options;
    return stderr.isTTY && !this.isQuiet ? (stderr as NodeJS.WriteStream) : undefined;
  }

  /** A text of an event as it may be shown. */
  text(value: string): string {
    return escapeUnsafe(value);
  }

  /** Coloured on a terminal that wants colour. */
  styled(style: Style, text: string): string {
    return this.#hasColour ? styleText(style, text, { validateStream: false }) : text;
  }
}
