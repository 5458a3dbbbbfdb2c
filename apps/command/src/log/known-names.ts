import type { Client } from '@shiplog/client';
import type { EnvironmentsDiff } from '@shiplog/contract';
import { escapeUnsafe } from '@shiplog/text';
import { usageFailure } from '../failure.ts';
import { globs } from './globs.ts';
import { isStage } from './stages.ts';

type Names = {
  readonly services?: readonly string[] | undefined;
  readonly environments?: readonly string[] | undefined;
};
type Kind = keyof Names;
type NamesClient = Pick<Client, 'listServices' | 'listEnvironments'>;

const listedMax = 20;

/** Rejects names that occur in no event, so that a misspelt name doesn't look like an empty result. @throws Failure */
export function refuseUnknown(client: NamesClient, asked: Names, signal: AbortSignal): Promise<void> {
  return refuse(client, asked, (name, known) => known.includes(name), signal);
}

/** Rejects globs that match no name. @throws Failure */
export function refuseUnmatched(client: NamesClient, asked: Names, signal: AbortSignal): Promise<void> {
  return refuse(client, asked, (glob, known, kind) => known.some(globs(kind, [glob])), signal);
}

/** Rejects unknown names if one side of a comparison is empty. @throws Failure */
export async function refuseEmptySide(
  client: NamesClient,
  { from, to, items }: Pick<EnvironmentsDiff, 'from' | 'to' | 'items'>,
  { services, signal }: { services: readonly string[] | undefined; signal: AbortSignal },
): Promise<void> {
  if (items.some((item) => item.from) && items.some((item) => item.to)) return;
  await refuseUnknown(client, { environments: [from, to].filter((side) => !isStage(side)) }, signal);
  await refuseUnmatched(client, { services }, signal);
}

type Rule = (name: string, known: readonly string[], kind: Kind) => boolean;

async function refuse(client: NamesClient, asked: Names, isKnown: Rule, signal: AbortSignal): Promise<void> {
  for (const kind of ['services', 'environments'] as const) {
    const names = asked[kind] ?? [];
    if (names.length === 0) continue;
    const { items } = (await (kind === 'services' ? client.listServices : client.listEnvironments)({ signal })).body;
    const unknown = names.find((name) => !isKnown(name, items, kind));
    if (unknown !== undefined) throw unknownName(kind, unknown, items);
  }
}

function unknownName(kind: Kind, name: string, known: readonly string[]): Error {
  const listed = known.slice(0, listedMax).map(escapeUnsafe).join(', ');
  const more = known.length > listedMax ? ` and ${known.length - listedMax} more` : '';
  const sentence = listed === '' ? 'The log is empty' : `Known ${kind}: ${listed}${more}`;
  return usageFailure(`The log has no ${kind.slice(0, -1)} ${JSON.stringify(escapeUnsafe(name))}. ${sentence}.`);
}
