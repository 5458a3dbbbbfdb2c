/** The tool rejects the token (401). The next cycle tries again. */
export class AuthFailed extends Error {}

/** The source pauses until an instant of the tool's clock because the budget is used up or a limit was reached. */
export class SourcePaused extends Error {
  readonly untilMs: number;

  constructor(message: string, untilMs: number) {
    super(message);
    this.untilMs = untilMs;
  }
}

/** The requested resource doesn't exist or isn't accessible (403, 404, 410, 451); others may be accessible. */
export class PlaceRefused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Whether the tool says that it doesn't exist. */
  get isGone(): boolean {
    return this.status === 404 || this.status === 410;
  }
}

/** No usable response: 5xx, timeout, broken connection, broken JSON, or too large. */
export class ToolAway extends Error {}

/** The next link of a list points to another origin. The pages before it are valid. */
export class ListCut extends ToolAway {}
