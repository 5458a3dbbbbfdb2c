import type { Client } from '@shiplog/client';
import { type DeploymentEvent, limits } from '@shiplog/contract';
import { isLater } from '../pipeline/release.ts';
import { listedPages } from './listed.ts';

interface HistoryQuestion {
  readonly service: string;
  /** One, or those of a stage. */
  readonly environments: readonly string[];
  readonly limit: number;
  /** Only events before this one. */
  readonly before?: { readonly happened_at: string; readonly id: string } | undefined;
}

/** The events of a service in some environments, newest first. */
export async function readHistory(
  client: Client,
  { service, environments, limit, before }: HistoryQuestion,
  signal: AbortSignal,
): Promise<DeploymentEvent[]> {
  const found: DeploymentEvent[] = [];
  for (const environment of environments) {
    const own: DeploymentEvent[] = [];
    const query = { service, environment, limit: Math.min(limit, limits.pageSizeMax) };
    for await (const { items } of listedPages(client, query, signal)) {
      own.push(...items.filter((event) => !before || isLater(before, event)));
      if (own.length >= limit) break;
    }
    found.push(...own);
  }
  return found.sort((one, other) => (isLater(one, other) ? -1 : 1)).slice(0, limit);
}
