/** The tool does not take the token (401): the source is asked again in the next cycle. */
export class AuthFailed extends Error {}

/** The whole source rests until an instant of the tool's clock: the budget is used up, or a limit of the tool met. */
export class SourceRests extends Error {
  readonly untilMs: number;

  constructor(message: string, untilMs: number) {
    super(message);
    this.untilMs = untilMs;
  }
}

/** What was asked for is not there or not for this token (403, 404, 410, 451); nothing else is concerned. */
export class PlaceRefused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Whether the tool says that it is not there. */
  get isGone(): boolean {
    return this.status === 404 || this.status === 410;
  }
}

/** No answer that could be used: 5xx, a time-out, a cut connection, broken JSON, more than a limit allows. */
export class ToolAway extends Error {}

/** The next link of a list leads away from the tool. The pages before it count. */
export class ListCut extends ToolAway {}
