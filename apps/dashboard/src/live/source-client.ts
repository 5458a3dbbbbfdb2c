import { answeredStatus, type Client } from '@shiplog/client';
import { headerNames, type MatrixRow, promotionOrder } from '@shiplog/contract';
import { boardOf } from '../board/board.ts';
import type { Answer, Request, Snapshot } from './requests.ts';

/**
 * Asks the service what the source has to know. It rejects as the client's calls do. What is a row at most has to be
 * answered within `answerMs`, so that a service that takes calls and says nothing is found out.
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
      case 'ladder':
        return { name: 'ladder', ladder: await this.#ladder() };
    }
  }

  async #snapshot(etag: string | undefined): Promise<Snapshot> {
    const ifNoneMatch = etag === undefined ? {} : { headers: { [headerNames.ifNoneMatch]: etag } };
    const { status, headers, body } = await this.#client.getMatrix(ifNoneMatch);
    const position = positionOf(headers);
    if (status === 304) return { board: undefined, etag, position };
    return { board: boardOf(body), etag: headers.get(headerNames.etag) ?? undefined, position };
  }

  /** The rows of some services, and up to which event each row is known. */
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

  /** The order of promotion is that of the funnel. A service without analytics (the mock) has the default. */
  async #ladder(): Promise<readonly string[]> {
    const stages = await this.#client.getPromotionFunnel().then(({ body }) => body.stages, ifGone);
    return stages?.map(({ environment }) => environment) ?? promotionOrder;
  }

  /** The last event of the log; `''` = there is none. */
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

/** Why a request has no answer, as a clause for people. */
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
