import { defineConfig } from 'vitest/config';

const outside = ['**/node_modules/**', '**/dist/**'];
const named = (infix: string) => `**/*.${infix}.test.ts`;

/** What every run has in common. */
const shared = {
  globalSetup: ['testing/global-setup.ts'],
  setupFiles: ['testing/secrets-setup.ts'],
  // Many tests wait for a process or a moment: more workers than cores lose nothing.
  maxWorkers: 6,
  // Nothing of ours runs at import, and no test depends on what a module keeps, so files may share what they import.
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // However busy the machine is: what is polled for has as long as what is waited for.
  expect: { poll: { timeout: 60_000 } },
};

/** How a test runs is told by its name; test/tidy.test.ts refuses a name that tells none of these. */
const runs = {
  everyday: {
    include: ['**/*.test.ts'],
    exclude: [...outside, named('{browser,slow,long,alone}')],
    // These wait less, and each worker spends seconds of processor time on what all import.
    maxWorkers: 4,
    provide: { samples: 0.5 },
  },
  /** Needs a browser. */
  browser: { include: [named('browser')], exclude: outside },
  /** Takes long, or tries to break the guarantees; and the properties once more, with more samples. */
  slow: {
    include: [named('slow'), named('property')],
    exclude: outside,
    provide: { samples: 5 },
    testTimeout: 600_000,
  },
  /** Takes many minutes: runs of which the everyday or the slow tests have a short form. */
  long: { include: [named('long')], exclude: outside, maxWorkers: 1, testTimeout: 3_600_000 },
  /** Loads the machine with all that it takes: nothing else runs meanwhile, so it comes after the slow ones. */
  alone: { include: [named('alone')], exclude: outside, maxWorkers: 1, sequence: { groupOrder: 1 } },
};

export default defineConfig({
  test: {
    // .ci/run adds up what it finds in this file.
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.test-results.json' }]] : ['default'],
    projects: Object.entries(runs).map(([name, run]) => ({
      // Workspace packages run from their sources: no build stands between an edit and its test.
      ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
      test: { name, ...shared, ...run },
    })),
  },
});
