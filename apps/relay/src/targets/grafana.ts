import { statuses } from '@shiplog/contract';
import type { Message } from '../domain/message.ts';
import { endStatuses } from '../domain/rule.ts';
import { entity, plain, shown } from '../domain/shown.ts';
import { wordingOf } from '../domain/wording.ts';
import { judge } from '../sender/sender.ts';
import type { SendOptions, Target } from './target.ts';
import type { TargetNode } from './target-node.ts';

export const grafanaMembers = ['base_url', 'token_env', 'token_file', 'tags'] as const;

interface GrafanaAccess {
  readonly url: string;
  readonly token: string;
  readonly tags: readonly string[];
}

/** An annotation for each deployment, from its first row to its end (relay §9.5). */
export function readGrafana(node: TargetNode): Target | undefined {
  const baseUrl = node.baseUrl(undefined);
  if (!node.has('token')) node.refuse('needs token_env or token_file');
  const token = node.headerSecret('token');
  const tags = node.has('tags') ? node.texts('tags', (text) => text.length <= 100, 'must be a list of tags') : [];
  if (baseUrl === undefined || token === undefined) return undefined;
  const access = { url: `${baseUrl}/api/annotations`, token, tags };
  return { ...node.names, defaultStatuses: statuses, send: (message, options) => annotate(message, access, options) };
}

async function annotate(
  message: Message,
  { url, token, tags }: GrafanaAccess,
  { sender, signal, thread }: SendOptions,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const isEnd = message.kind === 'deployment' && endStatuses.includes(message.event.status);
  const body = { ...annotationOf(message, tags), ...(isEnd && { timeEnd: timeOf(message) }) };
  if (thread !== undefined) {
    // A deployment that is already running is sent when it ends.
    if (!isEnd && !(message.kind === 'deployment' && message.isStuck)) return thread;
    const patched = await sender.send({
      url: `${url}/${thread}`,
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    // The annotation was removed, so create another one.
    if (patched.status !== 404) {
      judge(patched);
      return thread;
    }
  }
  const { text } = await sender.post({
    url,
    headers,
    body: JSON.stringify({ ...body, time: timeOf(message) }),
    signal,
  });
  return idIn(text);
}

/** Grafana renders annotations as HTML and tags as plain text. */
function annotationOf(message: Message, tags: readonly string[]): object {
  const { headline, lines, links } = wordingOf(message, entity('&<>"'));
  const anchors = links.map(
    ({ title, url }) => `<a href="${url.replaceAll('&', '&amp;')}" rel="noopener">${title}</a>`,
  );
  const own =
    message.kind === 'deployment'
      ? [message.event.service, message.event.environment, message.event.status]
      : [message.kind];
  return {
    tags: [...tags, 'shiplog', ...own.map((tag) => shown(tag, plain))],
    text: [headline, ...lines, ...anchors].join('\n'),
  };
}

function timeOf(message: Message): number {
  return Date.parse(message.kind === 'deployment' ? message.event.happened_at : message.at);
}

function idIn(text: string): string | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return Number.isSafeInteger(id) ? String(id) : undefined;
  } catch {
    return undefined;
  }
}
