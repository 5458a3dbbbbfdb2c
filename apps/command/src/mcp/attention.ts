import { byKey, readAttention, sortKey } from '../questions/attention.ts';
import { historyLink, viewLink } from '../questions/links.ts';
import { type Answer, cutText } from './answer.ts';
import {
  closed,
  cursor,
  cursorOf,
  type Given,
  keyIn,
  type Log,
  limit,
  scope,
  scopeInLink,
  scopeOf,
  type Tool,
} from './tool.ts';

export const attention: Tool = {
  name: 'attention',
  description:
    'What needs attention, most urgent first: failed, stuck and slow deployments, events hidden by one dated in the future, and silent reporters (which have no service and ignore the filters). Within a kind, production comes first.',
  input: closed({ ...scope, limit: limit(200, 50), cursor }),
  answer: attentionAnswer,
};

const keyLength = 3;

async function attentionAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const after = given.cursor === undefined ? undefined : keyIn(given.cursor, keyLength);
  const names = { services: 'services', environments: 'environments' };
  const { items, generated_at } = await readAttention(client, scopeOf(given), { names, signal });
  const found = items.filter((item) => after === undefined || byKey(sortKey(item), after) > 0);
  const page = found.slice(0, given.limit ?? 50);
  return {
    members: { link: viewLink(url, 'board', scopeInLink(given)), generated_at, left: found.length },
    items: page.map(({ kind, service, environment, since, reporter, detail, isProduction }) => ({
      ...{ kind, service, environment, since, production: isProduction, detail: cutText(detail) },
      ...(reporter && { reporter: cutText(reporter) }),
      ...(service !== null && environment !== null && { link: historyLink(url, service, environment) }),
    })),
    next: async (shown) => {
      const last = page[shown - 1];
      return last && shown < found.length ? cursorOf(sortKey(last)) : undefined;
    },
  };
}
