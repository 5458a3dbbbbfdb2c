import type { Client } from '@shiplog/client';
import { type AccessSelf, endpoints, type KeyName, keyHeaders, type May } from '@shiplog/contract';
import { proofsOf } from '../questions/proofs.ts';
import { type Check, type Finding, finding, type Installation } from './finding.ts';

const variables = { api: 'SHIPLOG_API_KEY', control: 'SHIPLOG_CONTROL_API_KEY' } as const;
const dayMs = 86_400_000;
const soonDays = 14;

/** Reports how the service identifies each key (access.md 2.4). */
export const checkAccess: Check = async (installation) => {
  const found = await Promise.all(
    (['api', 'control'] as const).map(async (name) => {
      const self = await selfOf(name, installation);
      return self ? [ofSelf(name, self, installation.clock.now().getTime())] : [];
    }),
  );
  return found.flat();
};

/**
 * `undefined` if no key is set, if the key is rejected, which another check reports, or if the service lacks this
 * endpoint.
 */
async function selfOf(name: KeyName, { keys, url, signal }: Installation): Promise<AccessSelf | undefined> {
  const key = keys[name];
  if (key === undefined) return undefined;
  const headers = { [keyHeaders[name]]: key };
  const response = await fetch(`${url}${endpoints.getAccessSelf.path}`, { headers, redirect: 'manual', signal });
  if (response.status === 200) return (await response.json()) as AccessSelf;
  await response.body?.cancel();
  return undefined;
}

function ofSelf(name: KeyName, { kind, id, name: title, may, expires }: AccessSelf, now: number): Finding {
  if (kind === 'shared') return finding('ok', 'access', `${variables[name]} is the shared key.`);
  const who = kind === 'key' ? `the key ${id} (${title})` : `a credential of ${title}`;
  const days = expires === null ? Number.POSITIVE_INFINITY : Math.floor((Date.parse(expires) - now) / dayMs);
  const end = expires === null ? '' : ` It expires at ${expires}.`;
  const advice = days < soonDays ? ' Replace it: shiplog key new creates another one.' : '';
  const text = `${variables[name]} is ${who}, which may ${mayText(may)}.${end}${advice}`;
  return finding(days < soonDays ? 'note' : 'ok', 'access', text);
}

function mayText({ post, hold, report, state, outage, read, control }: May): string {
  const list = (names: readonly string[] | string) => (typeof names === 'string' ? names : names.join(', '));
  const rights = [
    post && `post for ${list(post.services)} in ${list(post.environments)}`,
    hold && `hold ${list(hold.services)} in ${list(hold.environments)}`,
    report.length > 0 && `report as ${list(report)}`,
    state.length > 0 && `keep the state of ${list(state)}`,
    outage && 'report outages',
    read && 'read',
    control && 'control',
  ];
  return rights.filter(Boolean).join('; ') || 'do nothing';
}

const eventsMax = 500;
const servicesShown = 10;

/** Names the services that still post with the shared key, if there is an access file (access.md 4). */
export const checkSharedKey: Check = async ({ client, signal }) => {
  if (!(await hasAccessFile(client, signal))) return [];
  const { items } = (await client.listDeployments({ query: { limit: eventsMax }, signal })).body;
  const latest = new Map<string, (typeof items)[number]>();
  for (const event of items) if (!latest.has(event.service)) latest.set(event.service, event);
  const proofs = await proofsOf(client, [...latest.values()], signal);
  const names = [...latest.keys()].filter((_, at) => proofs[at]?.kind === 'shared').sort();
  const among = `among the newest ${items.length} events`;
  if (names.length === 0) {
    return [finding('ok', 'access', `No service's latest event ${among} was posted with the shared key.`)];
  }
  const more = names.length > servicesShown ? ` and ${names.length - servicesShown} more` : '';
  const text = `The latest event of these services ${among} was posted with the shared key: ${names.slice(0, servicesShown).join(', ')}${more}. Give each pipeline its own key, or let it post with its identity token.`;
  return [finding('note', 'access', text)];
};

/** Only a service with an access file counts contradictions. */
async function hasAccessFile(client: Client, signal: AbortSignal): Promise<boolean> {
  const { counts } = (await client.getQuality({ query: { limit: 1 }, signal })).body;
  return 'contradicted' in counts;
}
