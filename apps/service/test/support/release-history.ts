import { type DeploymentEventIngest, type Status, statuses } from '@shiplog/contract';
import fc from 'fast-check';

/** A few names, releases and times, so that all combinations occur. Some times are equal. */
const drawn = fc.record({
  service: fc.constantFrom('api', 'api', 'a/é'),
  environment: fc.constantFrom('dev', 'prod', 'prod', 'Ünï/1'),
  status: fc.oneof(
    { arbitrary: fc.constant<Status>('success'), weight: 3 },
    { arbitrary: fc.constantFrom(...statuses), weight: 1 },
  ),
  version: fc.constantFrom(undefined, undefined, '', '1.0', '1.1', 'RC_1%', 'rc', 'abcd12'),
  sha: fc.constantFrom(undefined, undefined, '', 'abcd12', 'ABCD99', 'ffff00aa', '1.0'),
  ref: fc.constantFrom(undefined, '', 'main', 'next'),
  actor: fc.constantFrom(undefined, '', 'alice'),
  deployment: fc.constantFrom('one', 'two', 'three'),
  second: fc.integer({ min: 0, max: 9 }),
  fraction: fc.constantFrom('', '', '.0', '.0000001', '.000002'),
});

/** Events in order of arrival, which is independent of when they happened. */
export const releaseHistory = fc.array(
  drawn.map(
    ({ deployment, second, fraction, version, sha, ref, actor, ...place }): DeploymentEventIngest => ({
      ...place,
      deployment_id: deployment,
      happened_at: `2026-05-04T09:12:0${second}${fraction}Z`,
      ...(version !== undefined && { version }),
      ...(sha !== undefined && { sha }),
      ...(ref !== undefined && { ref }),
      ...(actor !== undefined && { actor }),
    }),
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
);
