import { type Client, pagesOf } from '@shiplog/client';
import { type Hold, instantKey } from '@shiplog/contract';
import { compileGlobs, literalGlob } from '@shiplog/text';
import { unlessMissing } from '../failure.ts';
import type { Release } from '../pipeline/release.ts';

interface HeldQuestion {
  readonly service: string;
  readonly environments: readonly string[];
  /** Needed for bad versions; `undefined` if unknown. */
  readonly release: Release | undefined;
  /** RFC 3339 in UTC; now by default. */
  readonly at: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The holds that apply to a deployment at a given time, excluding those with an exception for its service (holds.md
 * 6.14).
 */
export async function holdsInForce(client: Client, question: HeldQuestion): Promise<Hold[]> {
  const { service, environments, release, at, signal } = question;
  const held: Hold[] = [];
  const query = {
    services: [literalGlob(service)],
    environments: environments.map(literalGlob),
    ...(at !== undefined && { at }),
  };
  const pages = pagesOf(async (cursor) => {
    const page = { ...query, ...(cursor !== undefined && { cursor }) };
    const answer = await unlessMissing(client.listHolds({ query: page, signal }));
    // A service of an earlier version has no holds.
    return answer?.body ?? { items: [], next_cursor: null };
  });
  for await (const { items } of pages) held.push(...items);
  const moment = at ?? new Date().toISOString();
  return held.filter((hold) => {
    if (hold.kind === 'bad' && hold.version !== release?.version && hold.version !== release?.sha) return false;
    return environments.some(compileGlobs(hold.environments)) && !isExcepted(hold, service, moment);
  });
}

function isExcepted({ exceptions }: Hold, service: string, at: string): boolean {
  const key = instantKey(at);
  return exceptions.some(
    ({ services, created_at, until }) =>
      instantKey(created_at) <= key && key < instantKey(until) && compileGlobs(services)(service),
  );
}
