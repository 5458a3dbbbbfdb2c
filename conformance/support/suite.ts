import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { Api } from './api.ts';
import { type Difference, type Part, parts, slowTestsWanted, type Target, targets } from './target.ts';

/** Variants of `test` with a condition; if it is not met, the test is skipped and the reason is printed. */
export interface Conditions {
  /** Needs instances that the test itself can start, restart or cut off. */
  readonly testOwnInstance: typeof test.only;
  /** Needs several instances on one log. */
  readonly testSharedLog: typeof test.only;
  /** Needs a log without earlier writes. */
  readonly testEmptyLog: typeof test.only;
  /** Takes longer than 15 s. */
  readonly testSlow: typeof test.only;
  /** Only for targets that do not differ from the core in these points. */
  readonly testUnless: (...differences: Difference[]) => typeof test.only;
  /** Only for targets that differ from the core in this point. Tests what such targets do instead. */
  readonly testWhere: (difference: Difference) => typeof test.only;
  /** Only for targets that have this part of the core. */
  readonly testWith: (part: Part) => typeof test.only;
  /** Only for targets that don't have this part of the core. */
  readonly testWithout: (part: Part) => typeof test.only;
}

/** Far longer than any operation takes, so that tests pass on a busy machine. */
const behaviourTimeoutMs = 60_000;

/**
 * Defines the tests of one surface for each target. If the name begins with a part, targets without that part skip the
 * tests.
 */
export function suite(surface: string, define: (api: Api, conditions: Conditions) => void): void {
  const part = (Object.keys(parts) as Part[]).find((name) => surface.startsWith(name));
  for (const target of targets()) {
    const reason = part && target.lacks[part];
    if (reason) tellSkipped(target, surface, 'all tests are', reason);
    describe.skipIf(reason)(`${target.name}: ${surface}`, () => {
      vi.setConfig({ testTimeout: behaviourTimeoutMs });
      const api = new Api(target);
      beforeAll(() => api.open());
      afterAll(() => api.close());
      define(api, conditionsOf(target, surface));
    });
  }
}

function tellSkipped(target: Target, surface: string, what: string, reason: string): void {
  process.stderr.write(`conformance: ${target.name}: ${surface}: ${what} skipped: ${reason}\n`);
}

function conditionsOf(target: Target, surface: string): Conditions {
  const unlessSkipped = (reason: string | undefined): typeof test.only => {
    if (reason === undefined) return test;
    tellSkipped(target, surface, 'a test is', reason);
    return test.skip;
  };
  const external = 'an instance that the suite did not start';
  const noInstances = target.external ? `it must start its own instances, and this is ${external}` : undefined;
  return {
    get testOwnInstance() {
      return unlessSkipped(noInstances);
    },
    get testSharedLog() {
      return unlessSkipped(noInstances ?? target.lacks.database);
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
    testWhere: (difference) => (target.differences[difference] ? test : test.skip),
    testWith: (part) => unlessSkipped(target.lacks[part]),
    testWithout: (part) => (target.lacks[part] ? test : test.skip),
  };
}
