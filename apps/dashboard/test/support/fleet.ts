import type { DeploymentEventIngest } from '@shiplog/contract';
import { inGroups } from '@shiplog/testing';
import type { TestDashboard } from './dashboard.ts';

const environments = ['dev', 'staging', 'qa', 'preprod', 'prod'];
const kinds = ['api', 'worker', 'gateway', 'store', 'indexer', 'reconciliation-worker-eu'];
const areas = ['orders', 'checkout', 'identity', 'payments', 'catalog', 'search', 'shipping', 'pricing', 'media'];

/** The name of a service in the fleet. */
export function fleetName(index: number): string {
  const [area, kind] = [areas[index % areas.length], kinds[Math.floor(index / areas.length) % kinds.length]];
  const round = Math.floor(index / areas.length / kinds.length);
  return `${area}-${kind}${round === 0 ? '' : `-${round}`}`;
}

/** The number of unhealthy services among the first `count` services of the fleet. */
export function notWellOf(count: number): number {
  return Math.ceil(count / 7);
}

/**
 * Posts the services with these indexes. One service of seven is in five environments and unhealthy: some failed, the
 * first one in production, others are running or waiting.
 */
export async function postFleet({ post }: TestDashboard, from: number, until: number): Promise<void> {
  const events: [Partial<DeploymentEventIngest>, number][] = [];
  for (let index = from; index < until; index += 1) {
    const service = fleetName(index);
    const version = index % 10 === 3 ? `2026.11.19+build.${index}.g3f2c1a9` : `${1 + (index % 12)}.${index % 7}.0`;
    const isHealthy = index % 7 !== 0;
    for (const environment of isHealthy ? ['dev', 'prod'] : environments) {
      events.push([{ service, environment, version }, 3000 + index]);
    }
    if (isHealthy) continue;
    const environment = environments[(index / 7 + 4) % 5] ?? 'dev';
    const status = (['failure', 'in-progress', 'failure', 'waiting'] as const)[(index / 7) % 4] ?? 'failure';
    events.push([{ service, environment, version: `${version}-rc.1`, status }, 12 + (index % 90)]);
  }
  await inGroups(events, ([event, minutesAgo]) => post(event, minutesAgo));
}
