import { type ApiDescription, openApiDocument, type ProblemName, problemKinds } from '@shiplog/contract';
import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { html, page, pageHeaders, prose } from './html.ts';
import { pageStyle, stylePath } from './page-style.ts';

const plainHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

interface ContractPages extends ApiDescription {
  /** The address at which browsers reach the program, if it is known. Its path is a prefix that a proxy removes. */
  readonly publicUrl?: string | undefined;
}

/** Serves the machine-readable contract, the API page, and a page for each kind of problem. */
export function addContractPages(app: FastifyInstance, options: ContractPages): void {
  const { publicUrl } = options;
  const prefix = pathPrefixOf(publicUrl);
  // Created on the first request, because most programs never get such a request.
  let openApi: string | undefined;
  app.get('/openapi.json', (_request, reply) => {
    openApi ??= JSON.stringify(openApiDocument(options), undefined, 1);
    return reply.headers({ ...plainHeaders, 'content-type': 'application/json; charset=utf-8' }).send(openApi);
  });
  app.get('/docs', (request, reply) => {
    // Behind a proxy, users see the proxy's address, which is in the Host header.
    const baseUrl = publicUrl ?? `${request.protocol}://${request.host || 'localhost'}`;
    return reply.headers(pageHeaders).send(docsPage(options, prefix, baseUrl));
  });
  app.get(stylePath, (_request, reply) =>
    reply.headers({ ...plainHeaders, 'content-type': 'text/css; charset=utf-8' }).send(pageStyle),
  );
  for (const kind of Object.keys(problemKinds) as ProblemName[]) {
    const text = problemPage(kind, options.problemBase, prefix);
    app.get(`${problemPath(options.problemBase)}/${kind}`, (_request, reply) => reply.headers(pageHeaders).send(text));
  }
}

/** The page that explains a kind of problem, at the address in the problem's `type` (reading 8.4). */
function problemPage(kind: ProblemName, problemBase: string, prefix: string): string {
  const problem = problemKinds[kind];
  return page({
    title: `${problem.title} · Shiplog`,
    style: `${prefix}${stylePath}`,
    body: html`
<main>
<h1>${problem.title}</h1>
<p class="kind"><code>${problemBase}/${kind}</code> · usually with status ${problem.status}</p>
<p>${prose(problem.explanation)}</p>
<p><a href="${prefix}/docs#problems">All problems and the API</a></p>
</main>`,
  });
}

const pathMax = 200;

/** The path prefix that a proxy removes; empty without one. */
export function pathPrefixOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/** The page for an unknown address; `path` is shown as sent. */
export function notFoundPage(path: string, prefix: string): string {
  return page({
    title: 'Page not found · Shiplog',
    style: `${prefix}${stylePath}`,
    body: html`
<main>
<h1>Page not found</h1>
<p>This path does not exist: <code>${path.length > pathMax ? `${path.slice(0, pathMax)}…` : path}</code></p>
<p><a href="${prefix}/">Start page</a> · <a href="${prefix}/docs">API reference with all paths</a></p>
</main>`,
  });
}

/** The path of the problem pages: that of `PROBLEM_BASE`, which may be a complete URL. */
function problemPath(problemBase: string): string {
  return problemBase.replace(/^https?:\/\/[^/]*/i, '');
}
