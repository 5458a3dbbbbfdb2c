import { accessEndpoints } from './endpoints/access.ts';
import { analyticsEndpoints } from './endpoints/analytics.ts';
import { badgeEndpoints } from './endpoints/badges.ts';
import { changesEndpoints } from './endpoints/changes.ts';
import { controlEndpoints } from './endpoints/control.ts';
import { holdEndpoints } from './endpoints/holds.ts';
import { logEndpoints } from './endpoints/log.ts';
import { opsEndpoints } from './endpoints/ops.ts';
import { outageEndpoints } from './endpoints/outages.ts';
import { qualityEndpoints } from './endpoints/quality.ts';
import { releaseEndpoints } from './endpoints/releases.ts';

/** Every endpoint of the core API (§4). */
export const endpoints = {
  ...logEndpoints,
  ...releaseEndpoints,
  ...changesEndpoints,
  ...badgeEndpoints,
  ...analyticsEndpoints,
  ...qualityEndpoints,
  ...controlEndpoints,
  ...accessEndpoints,
  ...holdEndpoints,
  ...outageEndpoints,
  ...opsEndpoints,
} as const;

export type EndpointName = keyof typeof endpoints;

/** The analytics endpoints whose results are computed from the log. */
export type AnalyticsName = Exclude<keyof typeof analyticsEndpoints, 'getEvidence' | 'getBenchmarks'>;
