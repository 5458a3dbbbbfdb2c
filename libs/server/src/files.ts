import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { isolationHeaders } from './html.ts';

/** Pages may load only files of their own program (reading 9.12). */
const filesHeaders = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...isolationHeaders,
} as const;

/** Serves the files that a folder contains at startup. The path must end in a slash. */
export async function addFiles(
  app: FastifyInstance,
  { path, folder }: { readonly path: `/${string}`; readonly folder: string },
): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: path,
    wildcard: false,
    decorateReply: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.headers(filesHeaders),
  });
}

/**
 * Redirects `/` and the panel's path without the slash to the panel. The redirect is relative, so that a proxy can add
 * a prefix.
 */
export function redirectToPanel(app: FastifyInstance, panelPath: string): void {
  for (const path of ['/', panelPath.slice(0, -1)]) {
    app.get(path, (_request, reply) => reply.header('Cache-Control', 'no-cache').redirect(panelPath.slice(1)));
  }
}
