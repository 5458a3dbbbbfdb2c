import type { MatrixSlot } from '@shiplog/contract';
import { globs, serviceFilter } from '../log/globs.ts';
import { refuseUnmatched } from '../log/known-names.ts';
import { byKey } from '../questions/attention.ts';
import { historyLink, viewLink } from '../questions/links.ts';
import { shownMatrix } from '../questions/shown-matrix.ts';
import { instantOf } from '../time-options.ts';
import { type Answer, briefEvent } from './answer.ts';
import {
  closed,
  cursor,
  cursorOf,
  type Given,
  globList,
  keyIn,
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
  const after = given.cursor === undefined ? undefined : keyIn(given.cursor, 2);
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
    .sort((one, other) => byKey(one.name, other.name))
    .filter((one) => after === undefined || byKey(one.name, after) > 0);
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
    next: async (shown) => (shown < found.length ? cursorOf(found[shown - 1]?.name ?? []) : undefined),
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
