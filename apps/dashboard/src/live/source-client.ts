import { answeredStatus, type Client } from '@shiplog/client';
import { headerNames, type MatrixRow } from '@shiplog/contract';
import { type Board, boardOf } from '../board/board.ts';

export type Request =
  | {
      readonly name: 'board';
      readonly etag: string | undefined;
      readonly connection: number;
      /** Whether events since the previous snapshot may have been missed, because no stream was connected. */
      readonly isJump: boolean;
    }
  | { readonly name: 'rows'; readonly services: readonly string[] }
  | { readonly name: 'head'; readonly connection: number }
  | { readonly name: 'anchor'; readonly id: string };

export type Answer =
  | (Omit<Extract<Request, { name: 'board' }>, 'etag'> & { readonly snapshot: Snapshot })
  | { readonly name: 'rows'; readonly rows: readonly MatrixRow[]; readonly positions: ReadonlyMap<string, string> }
  | { readonly name: 'head'; readonly connection: number; readonly head: string }
  | { readonly name: 'anchor'; readonly isInLog: boolean }
  | { readonly name: 'failed'; readonly reason: string };

/** A snapshot of the whole matrix; has no board if the ETag is unchanged. */
export interface Snapshot {
  readonly board: Board | undefined;
  readonly etag: string | undefined;
  /** The id of the last event in the snapshot; `''` = the log is empty, or the service doesn't report it. */
  readonly position: string;
}

/**
 * The requests of the source, which reject like the calls of the client. Requests for at most one row time out after
 * `answerMs`, because a service may accept a connection and never answer.
 */
export class SourceClient {
  readonly #client: Client;
  readonly #answerMs: number;

  constructor(client: Client, answerMs: number) {
    this.#client = client;
    this.#answerMs = answerMs;
  }

  async answer(request: Request): Promise<Answer> {
    switch (request.name) {
      case 'board':
        return { ...request, snapshot: await this.#snapshot(request.etag) };
      case 'rows':
        return { name: 'rows', ...(await this.#rows(request.services)) };
      case 'head':
        return { ...request, head: await this.#head() };
      case 'anchor':
        return { name: 'anchor', isInLog: await this.#hasEvent(request.id) };
    }
  }

  async #snapshot(etag: string | undefined): Promise<Snapshot> {
    const ifNoneMatch = etag === undefined ? {} : { headers: { [headerNames.ifNoneMatch]: etag } };
    const { status, headers, body } = await this.#client.getMatrix(ifNoneMatch);
    const position = positionOf(headers);
    if (status === 304) return { board: undefined, etag, position };
    return { board: boardOf(body), etag: headers.get(headerNames.etag) ?? undefined, position };
  }

  /** `positions`: for each service, the id of the last event that its row includes. */
  async #rows(services: readonly string[]) {
    const rows: MatrixRow[] = [];
    const positions = new Map<string, string>();
    for (const service of services) {
      const { body, headers } = await this.#client.getMatrix({ query: { service }, signal: this.#limit });
      rows.push(...body.rows);
      positions.set(service, positionOf(headers));
    }
    return { rows, positions };
  }

  /** The id of the last event in the log; `''` = the log is empty. */
  async #head(): Promise<string> {
    return positionOf((await this.#client.listDeployments({ query: { limit: 1 }, signal: this.#limit })).headers);
  }

  async #hasEvent(id: string): Promise<boolean> {
    return (await this.#client.getDeployment({ params: { id }, signal: this.#limit }).catch(ifGone)) !== undefined;
  }

  get #limit(): AbortSignal {
    return AbortSignal.timeout(this.#answerMs);
  }
}

/** Why a request failed, as a clause to display. */
export function failureClause(error: unknown): string {
  if (answeredStatus(error) !== undefined && error instanceof Error) return error.message;
  return error instanceof Error && error.name === 'TimeoutError' ? 'it timed out' : "can't reach it";
}

function positionOf(headers: Headers): string {
  return headers.get(headerNames.streamPosition) ?? '';
}

function ifGone(error: unknown): undefined {
  if (answeredStatus(error) !== 404) throw error;
}
