import { defineConfig } from 'vite';

/** A panel as files that its program serves: no inline script or style, no other host (its policy forbids both). */
export default defineConfig({
  // Behind a proxy the page may be served below a path.
  base: './',
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 0, emptyOutDir: true },
  worker: { format: 'es' },
});
