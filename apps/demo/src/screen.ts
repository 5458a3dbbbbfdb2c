/** Output for a person. */
export interface Screen {
  /** A line that stays. */
  line(text: string): void;
  /** A line that the next one replaces. */
  progress(text: string): void;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const clear = '\r\u001b[2K';

/** Progress is left out in files and pipes, where lines cannot be replaced. */
export function screenOn(output: Output): Screen {
  if (!output.isTTY) return { line: (text) => output.write(`${text}\n`), progress: () => undefined };
  return {
    line: (text) => output.write(`${clear}${text}\n`),
    progress: (text) => output.write(`${clear}${text}`),
  };
}
