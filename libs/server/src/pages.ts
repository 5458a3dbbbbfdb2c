import { type ApiDescription, openApiDocument, type ProblemName, problemKinds } from '@shiplog/contract';
import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { pageHeaders } from './html.ts';
import { pageStyle, stylePath } from './page-style.ts';
import { problemPage } from './problem-page.ts';

const plainHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

/** Serves the machine-readable contract, the API page, and a page for each kind of problem. */
export function addContractPages(app: FastifyInstance, options: ApiDescription): void {
  // Created at the first request: most programs never get one.
  let openApi: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    openApi ??= JSON.stringify(openApiDocument(options), undefined, 1);
    return reply.headers({ ...plainHeaders, 'content-type': 'application/json; charset=utf-8' }).send(openApi);
  });
  app.get('/docs', (request, reply) => {
    // Behind a proxy people use the proxy's address, which is in the Host header.
    const baseUrl = `${request.protocol}://${request.host || 'localhost'}`;
    return reply.headers(pageHeaders).send(docsPage({ ...options, style: stylePath }, baseUrl));
  });
  app.get(stylePath, (_request, reply) =>
    reply.headers({ ...plainHeaders, 'content-type': 'text/css; charset=utf-8' }).send(pageStyle),
  );
  for (const kind of Object.keys(problemKinds) as ProblemName[]) {
    const page = problemPage(kind, options.problemBase, stylePath);
    app.get(`${problemPath(options.problemBase)}/${kind}`, (_request, reply) => reply.headers(pageHeaders).send(page));
  }
}

/** Where the problem pages are served: the path of `PROBLEM_BASE`, which may be a whole URL. */
function problemPath(problemBase: string): string {
  return problemBase.replace(/^https?:\/\/[^/]*/i, '');
}
