import { statuses } from '@shiplog/contract';
import type { Message } from '../domain/message.ts';
import { entity } from '../domain/shown.ts';
import { plainLine, wordingOf } from '../domain/wording.ts';
import { NotSent, type SendAnswer } from '../sender/sender.ts';
import { addressMembers, addressTarget, type SendOptions, type Target } from './target.ts';
import type { TargetNode } from './target-node.ts';

export const slackMembers = [...addressMembers, 'token_env', 'token_file', 'channel', 'base_url'] as const;

/** An incoming webhook, or a token and a channel. With a token each deployment has one message, which is updated. */
export function readSlack(node: TargetNode): Target | undefined {
  if (node.has('url')) {
    node.refuseOthers(['token', 'channel', 'base_url'], "requires a token; incoming webhooks don't support it");
    return addressTarget(node, (message) => ({ body: JSON.stringify(slackBody(message)) }));
  }
  if (!node.has('token'))
    node.refuse('needs url, url_env or url_file of an incoming webhook, or token_env and channel');
  const token = node.headerSecret('token');
  const channel = node.need('channel', (text) => /^[\w#.-]{1,80}$/.test(text), 'must be a channel, such as C012ABC');
  const baseUrl = node.baseUrl('https://slack.com/api');
  if (token === undefined || channel === undefined || baseUrl === undefined) return undefined;
  const access = { token, channel, baseUrl };
  return { ...node.names, defaultStatuses: statuses, send: (message, options) => sendTo(access, message, options) };
}

interface SlackAccess {
  readonly token: string;
  readonly channel: string;
  readonly baseUrl: string;
}

async function sendTo(
  { token, channel, baseUrl }: SlackAccess,
  message: Message,
  { sender, signal, thread }: SendOptions,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
  const call = async (method: string, body: object) =>
    slackAnswer(await sender.post({ url: `${baseUrl}/${method}`, headers, body: JSON.stringify(body), signal }));
  const body = slackBody(message);
  const [threadChannel = '', ts = ''] = thread?.split(' ') ?? [];
  if (ts !== '') {
    const { error } = await call('chat.update', { channel: threadChannel, ts, ...body });
    // The message was removed or is too old to be changed, so post another one.
    if (error === undefined) return thread;
  }
  const { error, channel: id, ts: postedTs } = await call('chat.postMessage', { channel, ...body });
  if (error !== undefined) throw new NotSent(`Slack refused it: ${error}`);
  return typeof id === 'string' && typeof postedTs === 'string' ? `${id} ${postedTs}` : undefined;
}

const slackEntity = entity('&<>');
/** Slack can't escape its markup, so these characters are replaced by similar ones. */
const lookAlikes: Readonly<Record<string, string>> = { '*': '∗', '`': 'ˋ', _: 'ˍ', '~': '∼' };

/** Between two letters `_` and `~` are not markup, and names often contain them. */
function escapeCharacter(character: string, isInWord: boolean): string {
  if (isInWord && (character === '_' || character === '~')) return character;
  return lookAlikes[character] ?? slackEntity(character, isInWord);
}

/** Blocks, and text for notifications. Slack's automatic detection of links and names is turned off. */
function slackBody(message: Message): object {
  const wording = wordingOf(message, escapeCharacter);
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
/** Errors that a retry can't resolve. */
const droppedErrors = ['invalid_blocks', 'invalid_blocks_format', 'invalid_arguments', 'msg_too_long', 'no_text'];
const authErrors = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
];

/** Checks the response, because Slack reports errors with status 200. @throws NotSent */
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
