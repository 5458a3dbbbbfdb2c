import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  // Workspace packages run from their sources: no build stands between an edit and its test.
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    globalSetup: ['libs/testing/src/global-setup.ts'],
    // What needs a browser takes a while and has a run of its own: vitest run --mode panels.
    ...(mode === 'panels'
      ? { include: ['apps/*/test/**/*.browser.test.ts'], exclude: ['**/node_modules/**', '**/dist/**'] }
      : {
          include: [
            'libs/*/test/**/*.test.ts',
            'apps/*/test/**/*.test.ts',
            'conformance/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts'],
        }),
    // .ci/run adds up what it finds in this file.
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.test-results.json' }]] : ['default'],
    // Many tests wait for a process or a moment: more workers than cores lose nothing.
    maxWorkers: 6,
    // Nothing of ours runs at import or is kept in a module, so files may share what they import: a third of the time.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
}));
