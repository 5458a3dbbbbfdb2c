import { statuses } from '@shiplog/contract';
import type { Message } from '../domain/message.ts';
import { endStatuses } from '../domain/rule.ts';
import { entity } from '../domain/shown.ts';
import { plainLine, wordingOf } from '../domain/wording.ts';
import { NotSent } from '../sender/not-sent.ts';
import type { SendAnswer, Sender } from '../sender/sender.ts';
import type { TargetEntry } from './target.ts';
import type { TargetNode } from './target-node.ts';

export const slackMembers = ['url', 'url_env', 'url_file', 'token_env', 'token_file', 'channel', 'base_url'] as const;

/** An incoming webhook; or a token and a channel, where each deployment has one message, which is updated. */
export function readSlack(node: TargetNode): TargetEntry | undefined {
  if (node.has('url')) {
    node.refuseOthers(['token', 'channel', 'base_url'], "requires a token; incoming webhooks don't support it");
    const url = node.address('url');
    return url === undefined ? undefined : { ...node.names, open: (sender) => webhookTarget(node.names, url, sender) };
  }
  if (!node.has('token'))
    node.refuse('needs url, url_env or url_file of an incoming webhook, or token_env and channel');
  const token = node.headerSecret('token');
  const channel = node.need('channel', (text) => /^[\w#.-]{1,80}$/.test(text), 'must be a channel, such as C012ABC');
  const baseUrl = node.baseUrl('https://slack.com/api');
  if (token === undefined || channel === undefined || baseUrl === undefined) return undefined;
  return { ...node.names, open: (sender) => tokenTarget(node.names, { token, channel, baseUrl }, sender) };
}

function webhookTarget(names: TargetNode['names'], url: string, sender: Sender) {
  return {
    ...names,
    defaultStatuses: endStatuses,
    send: async (message: Message, { signal }: { signal: AbortSignal }) => {
      await sender.post({ url, body: JSON.stringify(slackBody(message)), signal });
      return undefined;
    },
  };
}

interface SlackAccess {
  readonly token: string;
  readonly channel: string;
  readonly baseUrl: string;
}

function tokenTarget(names: TargetNode['names'], { token, channel, baseUrl }: SlackAccess, sender: Sender) {
  const call = async (method: string, body: object, signal: AbortSignal) =>
    slackAnswer(
      await sender.post({
        url: `${baseUrl}/${method}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body),
        signal,
      }),
    );
  return {
    ...names,
    defaultStatuses: statuses,
    send: async (message: Message, { signal, thread }: { signal: AbortSignal; thread?: string | undefined }) => {
      const body = slackBody(message);
      const [place = '', ts = ''] = thread?.split(' ') ?? [];
      if (ts !== '') {
        const { error } = await call('chat.update', { channel: place, ts, ...body }, signal);
        // It was removed, or is too old to be changed: post another one.
        if (error === undefined) return thread;
      }
      const { error, channel: id, ts: made } = await call('chat.postMessage', { channel, ...body }, signal);
      if (error !== undefined) throw new NotSent(`Slack refused it: ${error}`);
      return typeof id === 'string' && typeof made === 'string' ? `${id} ${made}` : undefined;
    },
  };
}

const slackEntity = entity('&<>');
/** Slack has no escape for its markup, so these become characters that look similar. */
const lookAlikes: Readonly<Record<string, string>> = { '*': '∗', '`': 'ˋ', _: 'ˍ', '~': '∼' };

/** Between two letters `_` and `~` are not markup, and names contain them. */
function spell(character: string, isInWord: boolean): string {
  if (isInWord && (character === '_' || character === '~')) return character;
  return lookAlikes[character] ?? slackEntity(character, isInWord);
}

/** Blocks with a text for notifications. Slack's own detection of links and names is turned off. */
function slackBody(message: Message): object {
  const wording = wordingOf(message, spell);
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } });
  const links = wording.links
    .map(({ title, url }) => `<${url.replaceAll('&', '&amp;')}|${title}>`)
    .filter((link) => link.length <= sectionCharactersMax);
  const text = [`*${wording.headline}*`, ...wording.lines].join('\n');
  return {
    text: plainLine(wording),
    blocks: [text, ...links].map(section),
    ...{ unfurl_links: false, unfurl_media: false, link_names: false },
  };
}

const sectionCharactersMax = 3000;
/** Errors of `chat.update` for a message that no longer exists. */
const goneErrors = ['message_not_found', 'cant_update_message', 'edit_window_closed'];
/** Errors that a retry would not change. */
const droppedErrors = ['invalid_blocks', 'invalid_blocks_format', 'invalid_arguments', 'msg_too_long', 'no_text'];
const authErrors = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
];

/** Slack reports errors with status 200. @throws NotSent */
function slackAnswer({ text, retryAfterMs }: SendAnswer): { error?: string; channel?: unknown; ts?: unknown } {
  let answer: { ok?: unknown; error?: unknown; channel?: unknown; ts?: unknown };
  try {
    answer = JSON.parse(text);
  } catch {
    throw new NotSent('it answered 200 with a body that is not JSON');
  }
  if (answer?.ok === true) return { channel: answer.channel, ts: answer.ts };
  const error = typeof answer?.error === 'string' && /^[a-z_]{1,64}$/.test(answer.error) ? answer.error : 'no reason';
  if (goneErrors.includes(error)) return { error };
  const sentence = `Slack refused it: ${error}`;
  if (droppedErrors.includes(error)) throw new NotSent(sentence, 'dropped');
  if (authErrors.includes(error)) throw new NotSent(sentence, 'auth_failed');
  throw new NotSent(sentence, error === 'ratelimited' ? 'rate_limited' : 'error', retryAfterMs);
}
