import { byCodePoint, type MatrixSlot } from '@shiplog/contract';
import { usageFailure } from '../failure.ts';
import { globs, serviceFilter } from '../log/globs.ts';
import { refuseUnmatched } from '../log/known-names.ts';
import { historyLink, viewLink } from '../questions/links.ts';
import { shownMatrix } from '../questions/shown-matrix.ts';
import { instantOf } from '../time-options.ts';
import { type Answer, briefEvent } from './answer.ts';
import {
  closed,
  cursor,
  type Given,
  globList,
  type Log,
  limit,
  name,
  scopeInLink,
  type Tool,
  teamList,
} from './tool.ts';

export const board: Tool = {
  name: 'board',
  description:
    'Shows what is deployed where. For each service and environment, returns the current deployment, the last successful one if the current one is not successful, and the next deployment.',
  input: closed({
    services: globList('services'),
    environments: globList('environments'),
    teams: teamList,
    at: name(
      'Returns the board at this time: a time, a date such as 2026-05-04, or an age such as 30d. Defaults to now.',
    ),
    failed_only: {
      type: 'boolean',
      description: 'Returns only deployments that failed or are running after a failure.',
    },
    limit: limit(200, 50),
    cursor,
  }),
  answer: boardAnswer,
};

async function boardAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const after = given.cursor === undefined ? undefined : slotIn(given.cursor);
  const { services, environments, teams, at } = given;
  const isEnvironment = globs('environments', environments);
  const isService = await serviceFilter(client, { services, teams, option: 'services' }, signal);
  await refuseUnmatched(client, { services, environments }, signal);
  const filter = { isService, isEnvironment, isFailedOnly: given.failed_only ?? false };
  const query = { at: instantOf('at', at, new Date()) };
  const { body } = await client.getMatrix({ query, signal });
  const { rows, generated_at } = shownMatrix(body, filter);
  const found = rows
    .flatMap(({ service, slots, upcoming = {} }) => [
      ...Object.entries(slots).map(([environment, slot]) => ({ name: [service, environment], slot })),
      ...Object.entries(upcoming).map(([environment, next]) => ({ name: [service, environment], slot: { next } })),
    ])
    .sort((one, other) => byName(one.name, other.name))
    .filter((one) => after === undefined || byName(one.name, after) > 0);
  const page = found.slice(0, given.limit ?? 50);
  return {
    members: {
      link: viewLink(url, 'board', { ...scopeInLink(given), asof: query.at }),
      generated_at,
      left: found.length,
    },
    items: page.map(({ name: [service = '', environment = ''], slot }) => ({
      service,
      environment,
      ...briefSlot(slot),
      link: historyLink(url, service, environment),
    })),
    next: async (shown) => (shown < found.length ? cursorOf(found[shown - 1]?.name) : undefined),
  };
}

function briefSlot({ current, last_successful, next, prev_failed }: Partial<MatrixSlot>): object {
  return {
    ...(current && { current: briefEvent(current) }),
    ...(last_successful && { last_successful: briefEvent(last_successful) }),
    ...(next && { next: briefEvent(next) }),
    ...(prev_failed && { prev_failed }),
  };
}

/** The names of a service and an environment. */
type SlotName = readonly string[];

function byName([service = '', environment = '']: SlotName, [other = '', otherEnvironment = '']: SlotName): number {
  return byCodePoint(service, other) || byCodePoint(environment, otherEnvironment);
}

/** Encodes a slot name as a cursor, so that an assistant returns it unchanged. */
function cursorOf(name: SlotName | undefined): string {
  return Buffer.from(JSON.stringify(name)).toString('base64url');
}

function slotIn(text: string): SlotName {
  try {
    const slot: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(slot) && slot.length === 2 && slot.every((name) => typeof name === 'string')) return slot;
  } catch {}
  throw usageFailure('cursor must be the next_cursor of a previous answer of this tool.');
}
