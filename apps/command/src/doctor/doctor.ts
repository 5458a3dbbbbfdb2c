import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, failureOf } from '../failure.ts';
import { checkAccess, checkSharedKey } from './check-access.ts';
import { checkCompression, checkProblems } from './check-answers.ts';
import { checkComponents } from './check-components.ts';
import { checkDevelopmentKeys, checkKey } from './check-keys.ts';
import { checkPruning } from './check-pruning.ts';
import { checkQuality } from './check-quality.ts';
import { checkClock, checkProxy, checkReach, checkReadiness, checkVersion } from './check-reach.ts';
import { checkStream } from './check-stream.ts';
import { compareFolds } from './compare-folds.ts';
import { type Check, type Finding, finding, type Installation, isLocalUrl, within } from './finding.ts';

/** `shiplog doctor` (command.md 6, 10.9): prints one line per finding, and exits with 1 if there is a fault. */
export async function examine({ options }: Given, context: Context): Promise<number> {
  const { url, keys, signal, clock } = context;
  const installation = { url, isLocal: isLocalUrl(url), client: await context.client(), keys, clock, signal };
  const findings = await findingsOf(installation, (options.expect ?? []) as readonly string[]);
  for (const found of findings) print(context.out, found);
  if (options.deep && findings[0]?.level !== 'fault') {
    for (const found of await findingsFrom('folds', compareFolds(context), installation)) {
      print(context.out, found);
      findings.push(found);
    }
  }
  return findings.some(({ level }) => level === 'fault') ? exitCodes.no : exitCodes.done;
}

async function findingsOf(installation: Installation, expected: readonly string[]): Promise<Finding[]> {
  const reach = await checkReach(installation);
  if (reach.level === 'fault') return [reach];
  const checks: readonly (readonly [name: string, check: Check])[] = [
    ['version', checkVersion],
    ['proxy', checkProxy],
    ['keys', checkKey('api')],
    ['keys', checkKey('control')],
    ['keys', checkDevelopmentKeys],
    ['access', checkAccess],
    ['access', checkSharedKey],
    ['clock', checkClock],
    ['compression', checkCompression],
    ['readiness', checkReadiness],
    ['problems', checkProblems],
    ['components', checkComponents(expected)],
    ['pruning', checkPruning],
    ['quality', checkQuality],
  ];
  const found = await Promise.all([
    ...checks.map(([name, check]) => findingsFrom(name, withTimeout(check), installation)),
    // This check has its own timeouts, because a ping may take longer than other responses.
    findingsFrom('stream', checkStream(), installation),
  ]);
  return [reach, ...found.flat()];
}

/** Each check has this timeout, because a buffering proxy may delay a response for minutes. */
const checkMs = 10_000;

function withTimeout(check: Check): Check {
  return (installation) =>
    within(installation, { ms: checkMs, tooLate }, (signal) => check({ ...installation, signal }));
}

const tooLate = new Failure(
  exitCodes.no,
  `No response within ${checkMs / 1000} s. Check whether a proxy delays responses.`,
);

/** A failed check is a finding and doesn't stop the other checks. */
async function findingsFrom(name: string, check: Check, installation: Installation): Promise<readonly Finding[]> {
  try {
    return await check(installation);
  } catch (error) {
    installation.signal.throwIfAborted();
    return [finding('fault', name, `The check failed: ${failureOf(error).message.replaceAll('\n', ' ')}`)];
  }
}

const styles = { ok: 'green', note: 'yellow', fault: 'red' } as const;

function print(out: Context['out'], { level, check, text }: Finding): void {
  if (out.isJson) out.json({ level, check, text });
  else out.line(`${out.styled(styles[level], level.padEnd(5))}  ${check.padEnd(11)}  ${out.text(text)}`);
}
