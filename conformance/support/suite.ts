import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { Api } from './api.ts';
import { type Difference, type Part, parts, type Target, targets } from './target.ts';

/** Far longer than any operation takes, so that tests pass on a busy machine. */
const behaviourTimeoutMs = 60_000;

type Define = (api: Api, conditions: ReturnType<typeof conditionsOf>) => void;

/** Defines the tests of one surface for each target. If its name begins with a part, targets without it skip them. */
export function suite(surface: string, define: Define, hasMain = true): void {
  const part = (Object.keys(parts) as Part[]).find((name) => surface.startsWith(name));
  for (const target of targets()) {
    const reason = part && target.lacks[part];
    if (reason) tellSkipped(target, surface, 'all tests are', reason);
    describe.skipIf(reason)(`${target.name}: ${surface}`, () => {
      vi.setConfig({ testTimeout: behaviourTimeoutMs });
      const api = new Api(target);
      beforeAll(() => api.open(hasMain));
      afterAll(() => api.close());
      define(api, conditionsOf(target, surface));
    });
  }
}

/** Like `suite`, for tests that each use an instance on a separate log: no shared instance is started. */
export function suiteOfOwnLogs(surface: string, define: Define): void {
  suite(surface, define, false);
}

function tellSkipped(target: Target, surface: string, what: string, reason: string): void {
  process.stderr.write(`conformance: ${target.name}: ${surface}: ${what} skipped: ${reason}\n`);
}

/** Variants of `test` with a condition; if it is not met, the test is skipped and the reason is printed. */
function conditionsOf(target: Target, surface: string) {
  const unlessSkipped = (reason: string | undefined): typeof test.only => {
    if (reason === undefined) return test;
    tellSkipped(target, surface, 'a test is', reason);
    return test.skip;
  };
  const external = 'an instance that the suite did not start';
  const noInstances = target.external ? `it must start its own instances, and this is ${external}` : undefined;
  return {
    /** Needs instances that the test itself starts, restarts or cuts off. */
    get testOwnInstance() {
      return unlessSkipped(noInstances);
    },
    /** Needs several instances on one log. */
    get testSharedLog() {
      return unlessSkipped(noInstances ?? target.lacks.database);
    },
    /** Needs a log without any earlier writes. */
    get testEmptyLog() {
      return unlessSkipped(target.external ? `it needs an empty log, and this is ${external}` : undefined);
    },
    /** Takes longer than 15 s. */
    get testSlow() {
      const isWanted = process.env.CONFORMANCE_SLOW !== undefined;
      return unlessSkipped(isWanted ? undefined : 'it takes over 15 s; CONFORMANCE_SLOW=1 runs it');
    },
    /** Only for targets that do not differ from the core in these points. */
    testUnless: (...differences: Difference[]) => {
      const [allowed] = differences.flatMap((name) => target.differences[name] ?? []);
      return unlessSkipped(allowed && `the specification allows the difference: ${allowed.sentence}`);
    },
    /** Only for targets that differ from the core in this point; tests what they do instead. */
    testWhere: (difference: Difference): typeof test.only => (target.differences[difference] ? test : test.skip),
    /** Only for targets that have this part of the core. */
    testWith: (part: Part) => unlessSkipped(target.lacks[part]),
    /** Only for targets that lack this part of the core. */
    testWithout: (part: Part): typeof test.only => (target.lacks[part] ? test : test.skip),
  };
}
