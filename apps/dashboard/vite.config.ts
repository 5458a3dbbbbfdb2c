import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const documentation =
  /\b(?:description|summary|tag): *\n? *(?:'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)(?:\s*,|(?=\s*}))/g;

/**
 * The contract's schemas and sentences are for servers and documentation. A browser needs its paths and numbers, in the
 * page and in the worker: what makes a schema becomes the stand-in itself (src/no-schemas.ts), without its arguments.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/libs\/contract\/src\/(endpoints|shapes)\//.test(id)) return undefined;
    const parts: string[] = [];
    let from = 0;
    for (const { start, end } of schemaCalls(this.parse(code, { lang: 'ts' }))) {
      parts.push(code.slice(from, start), 'Type');
      from = end;
    }
    return { code: [...parts, code.slice(from)].join('').replace(documentation, ''), map: null };
  },
};

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The outermost calls of `Type.…(…)`, in their order. */
function schemaCalls(node: unknown): Span[] {
  if (Array.isArray(node)) return node.flatMap(schemaCalls);
  if (typeof node !== 'object' || node === null) return [];
  const { type, callee } = node as { type?: string; callee?: { object?: { name?: string } } };
  if (type === 'CallExpression' && callee?.object?.name === 'Type') return [node as unknown as Span];
  return Object.values(node).flatMap(schemaCalls);
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
