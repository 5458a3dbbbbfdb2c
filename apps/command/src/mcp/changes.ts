import { type Change, type NetChange, statuses } from '@shiplog/contract';
import { refuseUnknownStages } from '../log/stages.ts';
import { viewLink } from '../questions/links.ts';
import { rangeQuery } from '../questions/query-options.ts';
import { type Answer, briefTexts, fitting } from './answer.ts';
import {
  closed,
  cursor,
  type Given,
  type Log,
  limit,
  name,
  paged,
  scope,
  scopeInLink,
  scopeOf,
  type Tool,
} from './tool.ts';

export const changes: Tool = {
  name: 'changes',
  description:
    'The deployments in a time range, newest first: what changed where, from which release, how it ended. With net: what the range changed in each service and environment. In environments, stage:<name> stands for the environments of a promotion stage.',
  input: closed({
    from: name(
      'Start of the range: a time, a date such as 2026-05-04, or an age such as 1h. Requires to. Default: the last 24 hours.',
    ),
    to: name('End of the range (exclusive), in the same formats as from.'),
    ...scope,
    state: {
      type: 'array',
      items: { type: 'string', enum: statuses },
      maxItems: statuses.length,
      description: 'Only deployments in these states; not with net.',
    },
    net: { type: 'boolean', description: 'What was deployed before and after the range, for each place.' },
    limit: limit(200, 50),
    cursor,
  }),
  answer: changesAnswer,
};

/** Bytes of the deployments dated in the future, which come in addition to the items of a page. */
const aheadBytesMax = 4096;

async function changesAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  let about: object = {};
  // A cursor contains its range. The times may be ages, which would be later than on the first page.
  let range = given.cursor === undefined ? rangeQuery({ from: given.from, to: given.to }, new Date()) : {};
  const { state } = given;
  await refuseUnknownStages(client, given.environments, signal);
  const net = given.net ? ('true' as const) : undefined;
  const page = async (count: number) => {
    const query = { ...range, ...scopeOf(given), state, net, limit: count, cursor: given.cursor };
    const { from, to, counts, ahead, items, next_cursor } = (await client.listChanges({ query, signal })).body;
    range = { from, to };
    const shown = fitting(ahead.map(briefChange), aheadBytesMax);
    const left = ahead.length - shown.length;
    about = { from, to, counts, ...(ahead.length > 0 && { ahead: shown }), ...(left > 0 && { more_ahead: left }) };
    return { items: items.map((item) => ('changed' in item ? briefNet(item) : briefChange(item))), next_cursor };
  };
  const { items, next } = await paged(page, given.limit ?? 50);
  return { members: { link: linkOf(url, given, range), ...about }, items, next };
}

/** The dashboard's view of changes shows production unless an environment is given, and one state or all. */
function linkOf(url: string, given: Given, { from, to }: { readonly from?: string; readonly to?: string }): string {
  const { environment = ['*'], ...scope } = scopeInLink(given);
  const status = given.state?.length === 1 ? given.state : undefined;
  return viewLink(url, 'changes', { ...scope, environment, status, net: given.net ? '1' : undefined, from, to });
}

function briefChange(change: Change): object {
  const { service, environment, state, deployment_id, version, sha, actor, run_url, previous, ...others } = change;
  const texts = briefTexts({ version, sha, actor, deployment_id, run_url });
  return { service, environment, state, ...texts, previous: briefRelease(previous), ...others };
}

function briefNet({ service, environment, before, after, ...others }: NetChange): object {
  return { service, environment, before: briefRelease(before), after: briefRelease(after), ...others };
}

function briefRelease(release: NetChange['after']): object | null {
  if (release === null) return null;
  const { event_id, ...names } = release;
  return { ...briefTexts(names), event_id };
}
