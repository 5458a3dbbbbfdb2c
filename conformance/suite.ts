import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { Api } from './api.ts';
import { type Difference, slowTestsWanted, type Target, targets } from './target.ts';

/** `test` under a condition: where it does not hold, the test is skipped and the reason is told. */
export interface Conditions {
  /** Needs instances that the test itself starts, restarts or cuts off. */
  readonly testOwnInstance: typeof test.only;
  /** Needs a log that nothing was ever written to. */
  readonly testEmptyLog: typeof test.only;
  /** Takes longer than 15 s. */
  readonly testSlow: typeof test.only;
  /** Only for targets that do not differ from the core in these points. */
  readonly testUnless: (...differences: Difference[]) => typeof test.only;
}

/** No behaviour takes so long; a machine that does other work beside may. */
const behaviourTimeoutMs = 60_000;

/** Defines the tests of one surface, once for each target. */
export function suite(surface: string, define: (api: Api, conditions: Conditions) => void): void {
  for (const target of targets()) {
    describe(`${target.name}: ${surface}`, () => {
      vi.setConfig({ testTimeout: behaviourTimeoutMs });
      const api = new Api(target);
      beforeAll(() => api.open());
      afterAll(() => api.close());
      define(api, conditionsOf(target, surface));
    });
  }
}

function conditionsOf(target: Target, surface: string): Conditions {
  const unlessSkipped = (reason: string | undefined): typeof test.only => {
    if (reason === undefined) return test;
    process.stderr.write(`conformance: ${target.name}: ${surface}: a test is skipped: ${reason}\n`);
    return test.skip;
  };
  const external = 'an instance that the suite did not start';
  return {
    get testOwnInstance() {
      return unlessSkipped(target.external ? `it needs instances of its own, and this is ${external}` : undefined);
    },
    get testEmptyLog() {
      return unlessSkipped(target.external ? `it needs an empty log, and this is ${external}` : undefined);
    },
    get testSlow() {
      return unlessSkipped(slowTestsWanted ? undefined : 'it takes over 15 s; CONFORMANCE_SLOW=1 runs it');
    },
    testUnless: (...differences) => {
      const [allowed] = differences.flatMap((name) => target.differences[name] ?? []);
      return unlessSkipped(allowed && `the specification allows the difference: ${allowed.sentence}`);
    },
  };
}
