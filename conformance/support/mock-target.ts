import { type MockConfig, startMock } from '@shiplog/mock';
import { type TestServiceOptions, testKeys, testLogger } from '@shiplog/testing';
import type { RunningInstance, Target } from './target.ts';

const slots =
  'companion services §4: matrix slots carry `current`, `last_successful` and `prev_failed` (true when a failure lies between `current` and `last_successful`, or anywhere after `current` when no success exists).';
const notServed = 'reading 10.2: analytics and control paths are not part of the mock: 404 problem.';

/** The development mock: its allowed differences from the core and the parts that it doesn't have. */
export const mockTarget: Target = {
  name: 'mock',
  external: false,
  differences: {
    ingestStatuses: {
      value: ['in-progress', 'success', 'failure'],
      sentence: 'companion services §4: status on ingest accepts only `in-progress`, `success`, `failure`.',
    },
    prevFailed: { value: 'any failure since the last success', sentence: slots },
    slotNext: { value: 'not sent', sentence: slots },
    environmentOrder: {
      value: ['dev', 'staging', 'qa', 'preprod', 'prod'],
      sentence:
        'companion services §4: environments are ordered dev, staging, qa, preprod, prod, then alphabetically; reading 10.1: the rest by code point.',
    },
    listCursor: {
      value: 'base64 of an integer offset',
      sentence: 'companion services §4: the cursor is a base64-encoded integer offset.',
    },
    replay: { value: 'none', sentence: 'companion services §4: the stream has no `Last-Event-ID` replay.' },
    streamPosition: { value: 'not sent', sentence: 'reading 10.1: it sends no `X-Stream-Position`.' },
    readinessChecks: {
      value: ['db', 'listen'],
      sentence: 'companion services §4: `GET /readyz` (`{ status: ready, checks: { db: ok, listen: ok } }`).',
    },
  },
  lacks: {
    access: 'access.md: who may do what; the mock has one shared key.',
    analytics: notServed,
    control: notServed,
    database:
      'companion services §1: it implements the application API contract fully in memory; state resets on restart.',
    outages: 'outages.md: what broke, and which deployment caused it; the mock has only the core.',
    holds: 'holds.md: freezes, locks and bad versions; the mock has only the core.',
    questions: 'questions.md: what the log answers beyond the core API; the mock has only the core.',
    metrics: 'companion services §4: its paths are those of the application API, `/_mock/*` and the panel.',
  },
  keys: testKeys,
  async run() {
    const mock = await startInstance({});
    // The demo data is off, so that the log is empty as for other targets; apps/mock/test covers the demo data.
    await fetch(`${mock.url}/_mock/demo`, { method: 'POST', body: '{"enabled":false}' });
    return mock;
  },
  start: startInstance,
};

async function startInstance({ config = {}, log }: Partial<TestServiceOptions>): Promise<RunningInstance> {
  const mockConfig: MockConfig = {
    port: 0,
    host: '127.0.0.1',
    apiKeys: config.keys?.api ?? [testKeys.api],
    problemBase: config.problemBase ?? '/problems',
    logLevel: 'silent',
  };
  const mock = await startMock({ config: mockConfig, logger: testLogger(log) });
  return { ...mock, databaseUrl: 'none: its log is in memory' };
}
