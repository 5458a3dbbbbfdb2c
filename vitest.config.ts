import { defineConfig } from 'vitest/config';

const outside = ['**/node_modules/**', '**/dist/**'];
const inBrowsers = 'apps/*/test/**/*.browser.test.ts';
/** Kills, hostile input, backups, a proxy in between: what tries to break the guarantees at length. */
const ofTrust = [
  'test/{input,backup,proxy,security}/**/*.test.ts',
  'apps/service/test/{kill,stop,slow-reader,reset-handover,database-away,start-faults-of-database,start-ends}.test.ts',
  'apps/service/test/{fuzz,raw-bytes,everything-at-once}.test.ts',
  'libs/embedded-postgres/test/{crash,users}.test.ts',
];
/** Faults over a load of as many posts as the machine takes: nothing else runs meanwhile. */
const ofFaults = 'test/faults/**/*.test.ts';

/** What takes a while has a run of its own: `vitest run --mode <name>`. */
const runs: Readonly<Record<string, { include: string[]; exclude: string[] }>> = {
  panels: { include: [inBrowsers], exclude: outside },
  trust: { include: ofTrust, exclude: outside },
  faults: { include: [ofFaults], exclude: outside },
};
const everyDay = {
  include: [
    'libs/*/test/**/*.test.ts',
    'apps/*/test/**/*.test.ts',
    'conformance/**/*.test.ts',
    'bench/**/*.test.ts',
    'test/**/*.test.ts',
  ],
  exclude: [...outside, inBrowsers, ...ofTrust, ofFaults],
};

export default defineConfig(({ mode }) => ({
  // Workspace packages run from their sources: no build stands between an edit and its test.
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    globalSetup: ['testing/global-setup.ts'],
    setupFiles: ['testing/secrets-setup.ts'],
    ...(runs[mode] ?? everyDay),
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
