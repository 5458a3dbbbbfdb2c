/** Where a person reads. */
export interface Screen {
  /** A line that stays. */
  line(text: string): void;
  /** A line that the next one takes the place of. */
  progress(text: string): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const clear = '\r\u001b[2K';

/** In a file or a pipe nothing can be overwritten, so progress is left out there. */
export function screenOn(output: Output): Screen {
  if (!output.isTTY) return { line: (text) => output.write(`${text}\n`), progress: () => undefined };
  return {
    line: (text) => output.write(`${clear}${text}\n`),
    progress: (text) => output.write(`${clear}${text}`),
  };
}
