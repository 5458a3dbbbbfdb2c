import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The dashboard as files that the service serves: no inline script or style, no other host (its policy forbids both). */
export default defineConfig({
  root: import.meta.dirname,
  // Behind a proxy the page may be served below a path.
  base: './',
  resolve: {
    alias: { typebox: fileURLToPath(new URL('src/no-schemas.ts', import.meta.url)) },
    conditions: ['source', 'module', 'browser', 'development|production'],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 0, emptyOutDir: true, sourcemap: true },
  worker: { format: 'es' },
  // npm run dashboard: the sources as they are, over the mock or another service.
  server: { proxy: { '/api': process.env.SHIPLOG_URL ?? 'http://127.0.0.1:3002' } },
});
