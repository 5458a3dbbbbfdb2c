import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/** What describes an endpoint to servers and in the documentation: a browser only needs where and how to call it. */
const described = new Set(['summary', 'description', 'tag', 'params', 'query', 'headers', 'problems']);

/**
 * Leaves out of the page and its worker what only servers and the documentation need: schemas become the stand-in itself
 * (src/no-schemas.ts), without their arguments; endpoints lose their descriptions, and those of the control API, which
 * need a key that no browser has, are left out.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  enforce: 'pre',
  transform(code, id) {
    const [, folder] = /\/libs\/contract\/src\/(endpoints|shapes|headers)\b/.exec(id) ?? [];
    if (!folder) return undefined;
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, by } of replacedIn(this.parse(code, { lang: 'ts' }), folder === 'endpoints')) {
      parts.push(code.slice(from, start), by);
      const isComma = by === '' && code.slice(end).trimStart().startsWith(',');
      from = isComma ? code.indexOf(',', end) + 1 : end;
    }
    return { code: [...parts, code.slice(from)].join(''), map: null };
  },
};

interface Replaced {
  readonly start: number;
  readonly end: number;
  readonly by: 'Type' | '';
}

interface Node {
  readonly type?: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: { readonly object?: { readonly name?: string } };
  readonly key?: { readonly name?: string; readonly value?: unknown };
  readonly value?: { readonly properties?: readonly Node[] } & { readonly value?: unknown };
}

/** The outermost calls of `Type.…(…)` and what is left out of endpoints, in their order. */
function replacedIn(tree: unknown, isOfEndpoints: boolean): Replaced[] {
  if (Array.isArray(tree)) return tree.flatMap((node) => replacedIn(node, isOfEndpoints));
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  const { start, end } = node;
  if (node.type === 'CallExpression' && node.callee?.object?.name === 'Type') return [{ start, end, by: 'Type' }];
  if (node.type === 'Property' && isOfEndpoints && isLeftOut(node)) return [{ start, end, by: '' }];
  return Object.values(tree).flatMap((part) => replacedIn(part, isOfEndpoints));
}

function isLeftOut({ key, value }: Node): boolean {
  const parts = value?.properties;
  const isOfControl = parts?.some((part) => part.key?.name === 'key' && part.value?.value === 'control');
  // Of a reply, a client only has to know that it is not JSON.
  const isJsonReply = typeof key?.value === 'number' && !parts?.some((part) => part.key?.name === 'mediaType');
  return described.has(key?.name ?? '') || isOfControl === true || isJsonReply;
}

/** The dashboard as files that the service serves: no inline script or style, no other host (its policy forbids both). */
export default defineConfig({
  root: import.meta.dirname,
  // Behind a proxy the page may be served below a path.
  base: './',
  plugins: [withoutSchemas],
  resolve: {
    alias: { typebox: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)) },
    conditions: ['source', 'module', 'browser', 'development|production'],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 0, emptyOutDir: true, sourcemap: true },
  worker: { format: 'es', plugins: () => [withoutSchemas] },
  // npm run dashboard: the sources as they are, over the mock or another service.
  server: { proxy: { '/api': process.env.SHIPLOG_URL ?? 'http://127.0.0.1:3002' } },
});
