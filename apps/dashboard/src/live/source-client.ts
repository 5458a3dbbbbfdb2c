import { answeredStatus, type Client } from '@shiplog/client';
import { type DeploymentEvent, headerNames, type MatrixRow, promotionLadder } from '@shiplog/contract';
import { type Board, boardOf } from '../board/board.ts';

/** A snapshot of the whole matrix; without a board where it is still the one that was known by its ETag. */
export interface Snapshot {
  readonly board: Board | undefined;
  readonly etag: string | undefined;
  /** The log's end in the snapshot; `''` = the log is empty, or the service does not say. */
  readonly position: string;
}

/**
 * What the source asks the service. Each rejects as the client's calls do; what is a row at most has to be answered
 * within `answerMs`, so that a service that takes calls and says nothing is found out.
 */
export class SourceClient {
  readonly #client: Client;
  readonly #answerMs: number;

  constructor(client: Client, answerMs: number) {
    this.#client = client;
    this.#answerMs = answerMs;
  }

  async snapshot(etag: string | undefined): Promise<Snapshot> {
    const ifNoneMatch = etag === undefined ? {} : { headers: { [headerNames.ifNoneMatch]: etag } };
    const { status, headers, body } = await this.#client.getMatrix(ifNoneMatch);
    const position = positionOf(headers);
    if (status === 304) return { board: undefined, etag, position };
    return { board: boardOf(body), etag: headers.get(headerNames.etag) ?? undefined, position };
  }

  /** The row of one service, and up to which event it is known by that. */
  async row(service: string): Promise<{ readonly rows: readonly MatrixRow[]; readonly position: string }> {
    const { body, headers } = await this.#client.getMatrix({ query: { service }, signal: this.#limit });
    return { rows: body.rows, position: positionOf(headers) };
  }

  /** The order of promotion is the funnel's; a service without analytics (the mock) has the default. */
  async ladder(): Promise<readonly string[]> {
    const stages = await this.#client.getPromotionFunnel().then(({ body }) => body.stages, ifGone);
    return stages?.map(({ environment }) => environment) ?? promotionLadder;
  }

  /** The last event of the log; `''` = there is none. */
  async head(): Promise<string> {
    return positionOf((await this.#client.listDeployments({ query: { limit: 1 }, signal: this.#limit })).headers);
  }

  async hasEvent(id: string): Promise<boolean> {
    return (await this.#client.getDeployment({ params: { id }, signal: this.#limit }).catch(ifGone)) !== undefined;
  }

  get #limit(): AbortSignal {
    return AbortSignal.timeout(this.#answerMs);
  }
}

/** The event that a frame tells; `undefined` where it cannot be read. */
export function eventIn(data: string): DeploymentEvent | undefined {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Why a question has no answer, as the rest of a sentence. */
export function reasonOf(error: unknown): string {
  if (answeredStatus(error) !== undefined && error instanceof Error) return error.message;
  return error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'it could not be reached';
}

function positionOf(headers: Headers): string {
  return headers.get(headerNames.streamPosition) ?? '';
}

function ifGone(error: unknown): undefined {
  if (answeredStatus(error) !== 404) throw error;
}
