/** What a process ends with (command.md 1.4). A command that runs another one may end with that one's code. */
export const exitCodes = { done: 0, no: 1, usage: 2, refused: 3, away: 4 } as const;

/** An end that people can do something about: its message is one sentence that says what, and ends with the code. */
export class Failure extends Error {
  readonly code: number;

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** What was given on the command line makes no sense. */
export function usageFailure(message: string): Failure {
  return new Failure(exitCodes.usage, message);
}
