/** Exit codes (command.md 1.4). `shiplog run` may also exit with the code of its command. */
export const exitCodes = { done: 0, no: 1, usage: 2, refused: 3, away: 4 } as const;

/** An error that the user can act on: its message says what happened and what to do; the process ends with its code. */
export class Failure extends Error {
  readonly code: number;

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The command line is invalid. */
export function usageFailure(message: string): Failure {
  return new Failure(exitCodes.usage, message);
}
