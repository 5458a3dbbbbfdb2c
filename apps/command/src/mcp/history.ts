import { readHistory } from '../log/history.ts';
import { refuseUnknown } from '../log/known-names.ts';
import { environmentsOfStage } from '../log/stages.ts';
import { historyLink, viewLink } from '../questions/links.ts';
import { type Answer, briefEvent } from './answer.ts';
import { closed, cursor, cursorOf, type Given, keyIn, type Log, limit, name, paged, type Tool } from './tool.ts';

const slot = {
  service: name('The full, case-sensitive name.'),
  environment: name('The full, case-sensitive name, or stage:<name> for all environments of a promotion stage.'),
};

export const history: Tool = {
  name: 'history',
  description:
    'Lists the events of one service in one environment or stage, newest first: what was deployed and how it ended.',
  input: closed({ ...slot, limit: limit(100, 20), cursor }, ['service', 'environment']),
  answer: historyAnswer,
};

async function historyAnswer(given: Given, log: Log, signal: AbortSignal): Promise<Answer> {
  const { service = '', environment = '' } = given;
  const inStage = await environmentsOfStage(log.client, environment, signal);
  if (inStage) return stageAnswer(given, inStage, log, signal);
  const { client, url } = log;
  const page = async (count: number) => {
    const query = { service, environment, limit: count, cursor: given.cursor };
    return (await client.listDeployments({ query, signal })).body;
  };
  const { items, next } = await paged(page, given.limit ?? 20);
  if (items.length === 0) await refuseUnknown(client, { services: [service], environments: [environment] }, signal);
  return {
    members: { link: historyLink(url, service, environment), service, environment },
    items: items.map(briefEvent),
    next,
  };
}

/** A cursor is the time and the id of the last event in the previous answer. */
async function stageAnswer(
  given: Given,
  environments: readonly string[],
  { client, url }: Log,
  signal: AbortSignal,
): Promise<Answer> {
  const { service = '', environment } = given;
  const size = given.limit ?? 20;
  const [happened_at = '', id = ''] = given.cursor === undefined ? [] : keyIn(given.cursor, 2);
  const before = id === '' ? undefined : { happened_at, id };
  const events = await readHistory(client, { service, environments, before, limit: size + 1 }, signal);
  if (events.length === 0) await refuseUnknown(client, { services: [service] }, signal);
  return {
    members: {
      link: viewLink(url, 'changes', { service, environment: [...environments], range: '30d' }),
      service,
      environment,
    },
    items: events.slice(0, size).map((event) => ({ environment: event.environment, ...briefEvent(event) })),
    next: async (shown) => {
      const last = events[shown - 1];
      return last && shown < events.length ? cursorOf([last.happened_at, last.id]) : undefined;
    },
  };
}
