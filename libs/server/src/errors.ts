import { problemKinds } from '@shiplog/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from './html.ts';
import { Problem } from './problem.ts';
import { pathAsSent } from './url.ts';

export interface ErrorOptions {
  readonly problemBase: string;
  /** Maps an error of a lower layer to a problem. Unknown errors become internal errors. */
  readonly toProblem?: (error: unknown) => Problem | undefined;
}

/** Sends every error as `application/problem+json`. For `setErrorHandler` and `frameworkErrors`. */
export function errorHandler({ problemBase, toProblem }: ErrorOptions) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = problemOf(error, request) ?? toProblem?.(error);
    if (problem) {
      if (problem.status >= 500) request.log.warn({ err: problem.options.cause, kind: problem.kind }, problem.message);
      answerProblem(problem, request, reply, problemBase);
    } else if (!request.raw.complete && request.raw.errored) {
      // The client aborted its request.
      request.raw.destroy();
    } else {
      request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'internal error');
      const detail = `${problemKinds.internal.title}; see the service's log for details.`;
      answerProblem(new Problem('internal', { detail }), request, reply, problemBase);
    }
  };
}

function problemOf(error: unknown, request: FastifyRequest): Problem | undefined {
  if (error instanceof Problem) return error;
  // The router itself rejects unknown methods.
  return (error as { code?: string }).code === 'FST_ERR_NOT_FOUND' ? request.server.notServed(request) : undefined;
}

function answerProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply, problemBase: string): void {
  // Fastify closes the connection after a body error. We read bodies to the end, so the connection can stay open.
  if (reply.hasHeader('connection')) reply.removeHeader('connection');
  const { page, headers } = problem.options;
  const ownHeaders = { 'Content-Type': 'application/problem+json', 'X-Content-Type-Options': 'nosniff' };
  reply
    .code(problem.status)
    .headers({ ...ownHeaders, ...(page && pageHeaders), 'Cache-Control': 'no-store', ...headers })
    .send(page ?? Buffer.from(problem.body(problemBase, pathAsSent(request.originalUrl))));
}
