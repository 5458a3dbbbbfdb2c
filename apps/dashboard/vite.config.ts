import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * The members of an endpoint that only servers and the documentation use. A browser needs only the method and the path.
 */
const described = new Set([
  'summary',
  'description',
  'tag',
  'params',
  'query',
  'headers',
  'problems',
  'body',
  'open',
  'sameOrigin',
]);

/** Endpoints that programs call, but not the dashboard. */
const neverCalled = new Set([
  'getLiveness',
  'getReadiness',
  'getVersion',
  'getBadge',
  'getFetcherState',
  'putFetcherState',
  'reportComponentEvent',
  'listServices',
  'listEnvironments',
  'listRemovals',
  'streamControl',
  'streamDeployments',
  'streamComponents',
  'openReaderSession',
  'getHold',
  'getHoldsCalendar',
  'getOutage',
]);

/**
 * Removes from the page and its worker the code that only servers and the documentation need. Replaces each schema,
 * including its arguments, by the stand-in (src/no-schemas.ts), and removes the descriptions of endpoints and streams. Removes
 * the endpoints of the control API, because browsers don't have its key.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  enforce: 'pre',
  transform(code, id) {
    const [, folder] = /\/libs\/contract\/src\/(endpoints|shapes|headers|streams)\b/.exec(id) ?? [];
    if (!folder) return undefined;
    const parts: string[] = [];
    let from = 0;
    const isDescribed = folder === 'endpoints' || folder === 'streams';
    for (const { start, end, by } of replacedIn(this.parse(code, { lang: 'ts' }), isDescribed)) {
      parts.push(code.slice(from, start), by);
      const isComma = by === '' && code.slice(end).trimStart().startsWith(',');
      from = isComma ? code.indexOf(',', end) + 1 : end;
    }
    return { code: [...parts, code.slice(from)].join(''), map: null };
  },
};

const limitsFile = readFileSync(new URL('../../libs/contract/src/limits.ts', import.meta.url), 'utf8');
const limits = new Map([...limitsFile.matchAll(/^ {2}(\w+): ([\d._* ]+),$/gm)].map(([, name, value]) => [name, value]));

/** Replaces each use of a limit by its value, because the page uses a few of many. */
const inlinedLimits: Plugin = {
  name: 'inlined-limits',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx?$/, code: 'limits.' },
    handler: (code) => ({
      code: code.replaceAll(/\blimits\.(\w+)/g, (whole, name) => (limits.has(name) ? `(${limits.get(name)})` : whole)),
      map: null,
    }),
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

/** The outermost calls of `Type.…(…)` and the removed parts of endpoints, in source order. */
function replacedIn(tree: unknown, isDescribed: boolean): Replaced[] {
  if (Array.isArray(tree)) return tree.flatMap((node) => replacedIn(node, isDescribed));
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  const { start, end } = node;
  if (node.type === 'CallExpression' && node.callee?.object?.name === 'Type') return [{ start, end, by: 'Type' }];
  if (node.type === 'Property' && isDescribed && isLeftOut(node)) return [{ start, end, by: '' }];
  return Object.values(tree).flatMap((part) => replacedIn(part, isDescribed));
}

function isLeftOut({ key, value }: Node): boolean {
  const parts = value?.properties;
  const isOfControl = parts?.some((part) => part.key?.name === 'key' && part.value?.value === 'control');
  // The only fact about a response that a client needs is that it isn't JSON.
  const isJsonReply = typeof key?.value === 'number' && !parts?.some((part) => part.key?.name === 'mediaType');
  const name = key?.name ?? '';
  return described.has(name) || neverCalled.has(name) || isOfControl === true || isJsonReply;
}

/**
 * Builds the dashboard as files that the service serves. Its policy forbids inline scripts, inline styles and other
 * hosts.
 */
export default defineConfig({
  root: import.meta.dirname,
  // A proxy may serve the page below a path.
  base: './',
  plugins: [withoutSchemas, inlinedLimits],
  resolve: {
    alias: {
      typebox: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)),
      // Through the library's index the page would load the code of streams, which only its source needs.
      '@shiplog/client': fileURLToPath(new URL('../../libs/client/src/client.ts', import.meta.url)),
    },
    conditions: ['source', 'module', 'browser', 'development|production'],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    emptyOutDir: true,
    sourcemap: true,
    // One file for the first view compresses better than a dozen, one for each set of views that share a part of it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  worker: { format: 'es', plugins: () => [withoutSchemas, inlinedLimits] },
  // npm run dashboard: serves the unbuilt sources, with the data of the mock or another service.
  server: { proxy: { '/api': process.env.SHIPLOG_URL ?? 'http://127.0.0.1:3002' } },
});
