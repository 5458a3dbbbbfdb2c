import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { beforeOf } from '../src/log/before.ts';
import { row } from './support/a-release.ts';

const own = { version: '4.18.0', sha: null };
const good = (minutesAgo: number, version: string) => row('success', minutesAgo, { version });
const at = (minutesAgo: number) => row('success', minutesAgo).happened_at;

test.each<[string, DeploymentEvent[], number | undefined, string | undefined, number | undefined]>([
  ['ran once', [good(60, '4.17.2'), good(90, '4.16.0')], 60, '4.17.2', 10],
  ['was deployed again', [good(60, '4.17.2'), good(80, '4.17.2'), good(90, '4.16.0')], 80, '4.17.2', 10],
  ['was replaced by an earlier success of the release', [good(20, '4.18.0'), good(60, '4.17.2')], 60, '4.17.2', 20],
  ['is not in the log', [good(20, '4.18.0')], undefined, undefined, undefined],
])('the last good version before a release %s', (_, successes, sinceAgo, version, untilAgo) => {
  const before = beforeOf(successes, own, at(10));
  expect(before && [before.event.version, before.since, before.until]).toEqual(
    sinceAgo && untilAgo ? [version, at(sinceAgo), at(untilAgo)] : undefined,
  );
});
