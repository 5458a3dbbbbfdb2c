import { defineConfig } from 'vite';

/** Builds a panel as files that its program serves. The content security policy forbids inline code and other hosts. */
export default defineConfig({
  // Behind a proxy, the page may be served below a path.
  base: './',
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 0, emptyOutDir: true },
  worker: { format: 'es' },
});
