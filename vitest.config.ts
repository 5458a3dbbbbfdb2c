import { defineConfig } from 'vitest/config';

const outside = ['**/node_modules/**', '**/dist/**'];
const named = (infix: string) => `**/*.${infix}.test.ts`;

/** The settings that all runs share. */
const shared = {
  globalSetup: ['testing/global-setup.ts'],
  setupFiles: ['testing/secrets-setup.ts'],
  // Many tests wait for a process or for time to pass, so it is fine to have more workers than cores.
  maxWorkers: 6,
  // Our modules run no code when imported, and no test depends on module state, so test files may share modules.
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Polling has a long timeout, like waiting, because the machine may be busy.
  expect: { poll: { timeout: 60_000 } },
};

/** The name of a test file determines its run; test/tidy.test.ts rejects names that match none of these. */
const runs = {
  everyday: {
    include: ['**/*.test.ts'],
    exclude: [...outside, named('{browser,slow,long,alone}')],
    // These tests wait less, and each worker spends seconds of processor time on shared imports.
    maxWorkers: 4,
    provide: { samples: 0.5 },
  },
  /** Tests that need a browser. */
  browser: { include: [named('browser')], exclude: outside, maxWorkers: 4 },
  /** Tests that take long or try to break the guarantees, and the property tests with more samples. */
  slow: {
    include: [named('slow'), named('property')],
    exclude: outside,
    provide: { samples: 3 },
    testTimeout: 600_000,
  },
  /** Tests that take many minutes. Each has a shorter version among the everyday or slow tests. */
  long: { include: [named('long')], exclude: outside, maxWorkers: 1, testTimeout: 3_600_000 },
  /** Tests that use the full capacity of the machine. They run alone, after the slow tests. */
  alone: { include: [named('alone')], exclude: outside, maxWorkers: 1, sequence: { groupOrder: 1 } },
};

export default defineConfig({
  test: {
    // .ci/run adds up the results in this file.
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.test-results.json' }]] : ['default'],
    projects: Object.entries(runs).map(([name, run]) => ({
      // Workspace packages run from their sources, so that tests need no build.
      ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
      test: { name, ...shared, ...run },
    })),
  },
});
