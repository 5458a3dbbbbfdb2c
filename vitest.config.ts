import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Workspace packages run from their sources: no build stands between an edit and its test.
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    globalSetup: ['libs/testing/src/global-setup.ts'],
    include: ['libs/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'conformance/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // .ci/run adds up what it finds in this file.
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.test-results.json' }]] : ['default'],
    // Many tests wait for a process or a moment: more workers than cores lose nothing.
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
