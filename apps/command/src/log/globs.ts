import type { Client } from '@shiplog/client';
import { patterns } from '@shiplog/contract';
import { compileGlobs } from '@shiplog/text';
import { exitCodes, Failure, usageFailure } from '../failure.ts';

const isGlob = new RegExp(patterns.glob, 'u');

/**
 * Whether a name matches one of the globs (questions.md 2.1). Every name matches if no glob is given. @throws Failure
 * for a glob that is empty or ends in a bare `\`.
 */
export function globs(option: string, given: readonly string[] = []): (name: string) => boolean {
  if (given.some((glob) => glob === '' || !isGlob.test(glob))) {
    throw usageFailure(`${option} accepts a name with * and ?, such as 'pay-*', without a trailing backslash.`);
  }
  return given.length === 0 ? () => true : compileGlobs(given);
}

/** Matches services by globs or by teams. Every service matches if neither is given. @throws Failure */
export async function serviceFilter(
  client: Pick<Client, 'getCatalog'>,
  {
    services,
    teams,
    option,
  }: Readonly<Record<'services' | 'teams', readonly string[] | undefined>> & { option: string },
  signal: AbortSignal,
): Promise<(service: string) => boolean> {
  const isNamed = globs(option, services);
  if (!teams) return isNamed;
  const owned = await servicesOf(client, teams, signal);
  return (service) => owned.has(service) || (services !== undefined && isNamed(service));
}

async function servicesOf(
  client: Pick<Client, 'getCatalog'>,
  teams: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const { items } = (await client.getCatalog({ signal })).body;
  const owned = items.filter(({ team }) => team !== null && teams.includes(team));
  if (owned.length === 0) {
    const named = [...new Set(items.flatMap(({ team }) => team ?? []))].sort();
    const known = named.length > 0 ? `teams with services are ${named.join(', ')}` : 'the service has no catalog';
    throw new Failure(exitCodes.usage, `No service in the log belongs to the team ${teams.join(', ')}; ${known}.`);
  }
  return new Set(owned.map(({ service }) => service));
}
