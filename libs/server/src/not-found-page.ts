import type { IncomingMessage } from 'node:http';
import { html, page } from './html.ts';
import { stylePath } from './page-style.ts';
import { decoded } from './url.ts';

/** Whether a browser asks for a page. Below `/api`, every refusal is a problem (§7, reading 1.9). */
export function wantsPage({ method, headers }: IncomingMessage, path: string): boolean {
  if (/^\/api(\/|$)/.test(decoded(path) ?? path)) return false;
  const accepted = headers.accept ?? '';
  return (method === 'GET' || method === 'HEAD') && /text\/html/i.test(accepted) && !/json/i.test(accepted);
}

/** The page for an unknown address; `path` as it was sent. */
export function notFoundPage(path: string): string {
  return page({
    title: 'Nothing is here · Shiplog',
    style: stylePath,
    body: html`
<main>
<h1>Nothing is here</h1>
<p>There is no such path: <code>${path.length > pathMax ? `${path.slice(0, pathMax)}…` : path}</code></p>
<p><a href="/">Start page</a> · <a href="/docs">The API, with every path that there is</a></p>
</main>`,
  });
}

const pathMax = 200;
