/** Terminal output. */
export interface Screen {
  /** Prints a permanent line. */
  line(text: string): void;
  /** Prints a line that the next one replaces. */
  progress(text: string): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const clear = '\r\u001b[2K';

/** Omits progress in files and pipes, where lines can't be replaced. */
export function screenOn(output: Output): Screen {
  if (!output.isTTY) return { line: (text) => output.write(`${text}\n`), progress: () => undefined };
  return {
    line: (text) => output.write(`${clear}${text}\n`),
    progress: (text) => output.write(`${clear}${text}`),
  };
}
