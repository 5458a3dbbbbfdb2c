import { refuseUnknown } from '../log/known-names.ts';
import { historyLink } from '../questions/links.ts';
import { type Answer, briefEvent } from './answer.ts';
import { closed, cursor, type Given, type Log, limit, name, paged, type Tool } from './tool.ts';

const slot = {
  service: name('The full, case-sensitive name.'),
  environment: name('The full, case-sensitive name.', 64),
};

export const history: Tool = {
  name: 'history',
  description: 'Lists the events of one service in one environment, newest first: what was deployed and how it ended.',
  input: closed({ ...slot, limit: limit(100, 20), cursor }, ['service', 'environment']),
  answer: historyAnswer,
};

async function historyAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const { service = '', environment = '' } = given;
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
