import type { IncomingMessage } from 'node:http';
import { headerNames } from '@shiplog/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';
import { answerBrokenHead } from './broken-http.ts';
import { notFoundPage, pathPrefixOf } from './pages.ts';
import { Problem } from './problem.ts';
import { decoded, pathAsSent, routableUrl } from './url.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The problem for a request without a route: 404, or 405 with the methods of its path. */
    notServed(request: FastifyRequest): Problem;
  }
}

/** Rejects invalid headers, an unknown path or a wrong method before the body is read (reading 1.4). */
export const judgeHeads = plugin(
  async (app: FastifyInstance, { publicUrl }: { readonly publicUrl?: string | undefined }) => {
    const prefix = pathPrefixOf(publicUrl);
    const known = new Map<string, KnownPath>();
    app.addHook('onRoute', ({ url, method }) => {
      const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const name of [method].flat()) entry.methods.add(name);
      known.set(url, entry);
    });
    app.decorate('notServed', (request) => notServed(request, known, prefix));
    app.addHook('onRequest', (request, reply, done) => {
      if (!isSoundHead(request.raw)) answerBrokenHead(reply);
      else done(request.is404 || hasEmptyParameter(request) ? app.notServed(request) : undefined);
    });
    // Otherwise fastify's own 404 would run outside these hooks.
    app.setNotFoundHandler(() => undefined);
  },
);

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

function patternOf(url: string): RegExp {
  const fixed = url.split(/:[a-z_]+(?:\([^)]*\))?/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${fixed.join('[^/]+')}$`);
}

/** For the router, `/state/` matches `/state/{adapter}`, but an empty name is not a valid parameter. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return Object.values(params as Record<string, string>).includes('');
}

function notServed(request: FastifyRequest, known: Map<string, KnownPath>, prefix: string): Problem {
  const path = pathAsSent(routableUrl(request.raw));
  const methods = [...known.values()]
    .filter(({ pattern }) => pattern.test(path))
    .flatMap((entry) => [...entry.methods]);
  if (methods.length === 0) {
    const page = wantsPage(request.raw, path) ? { page: notFoundPage(pathAsSent(request.originalUrl), prefix) } : {};
    return new Problem('not-found', { detail: 'No such path.', ...page });
  }
  const allow = [...new Set(methods)].sort().join(', ');
  return new Problem('method-not-allowed', {
    detail: `${request.method} is not allowed here; allowed: ${allow}.`,
    headers: { [headerNames.allow]: allow },
  });
}

/** Whether a browser requests a page. Below `/api`, every error is a problem document (§7, reading 1.9). */
export function wantsPage({ method, headers }: IncomingMessage, path: string): boolean {
  const first = path.replace(/(?<=.)\/.*/s, '');
  if (/^\/api(\/|$)/.test(decoded(first) ?? first)) return false;
  const accepted = headers.accept ?? '';
  return (method === 'GET' || method === 'HEAD') && /text\/html/i.test(accepted) && !/json/i.test(accepted);
}

/** Checks the rules of HTTP for request headers that Node doesn't check (RFC 9112). */
function isSoundHead(request: IncomingMessage): boolean {
  const { httpVersion } = request;
  return (httpVersion === '1.1' || httpVersion === '1.0') && namesItsHost(request) && framesItsBody(request);
}

/** Allows only chunked coding, and no coding in HTTP/1.0 (6.1): a proxy could see a different end of the body. */
function framesItsBody({ httpVersion, headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/** Requires one `Host` line with a valid value (3.2). Node's own check sends no body and ignores a second line. */
function namesItsHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  if (hosts.length === 0) return httpVersion === '1.0';
  return hosts.length === 1 && hosts.every((host) => hostValue.test(host));
}

const hostValue = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]*)(:\d*)?$/i;
