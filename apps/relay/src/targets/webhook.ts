import { signingKey, standardSignature } from '@shiplog/component';
import type { Message } from '../domain/message.ts';
import { isNews } from '../domain/news.ts';
import { variablesOf } from '../domain/variables.ts';
import { addressMembers, addressTarget, type Target } from './target.ts';
import type { JsonTemplate, TargetNode } from './target-node.ts';

export const webhookMembers = [...addressMembers, 'secret_env', 'secret_file', 'headers', 'template'] as const;

/** Sends a template's JSON, or the event itself, signed as in Standard Webhooks. */
export function readWebhook(node: TargetNode): Target | undefined {
  const secret = node.has('secret') ? node.secret('secret') : undefined;
  const key = secret === undefined ? undefined : signingKey(secret);
  if (secret !== undefined && (!key || !secret.startsWith('whsec_'))) {
    node.refuse('has an invalid secret; it must be whsec_ and at least 16 bytes in base64');
  }
  const headers = node.headers();
  const template = node.template();
  return addressTarget(node, (message, now) => {
    const body = Buffer.from(JSON.stringify(bodyOf(message, template)));
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const signed = { id: message.id, timestamp, body };
    const signature = key && { 'webhook-signature': `v1,${standardSignature(key, signed).toString('base64')}` };
    return { headers: { ...headers, 'webhook-id': message.id, 'webhook-timestamp': timestamp, ...signature }, body };
  });
}

function bodyOf(message: Message, template: JsonTemplate | undefined): unknown {
  if (template) return template.fill(variablesOf(message));
  const { shiplogUrl } = message;
  return {
    type: `shiplog.${message.kind}`,
    ...contentOf(message),
    ...(shiplogUrl !== undefined && { shiplog_url: shiplogUrl }),
  };
}

/** The payload of relay §9.3. */
function contentOf(message: Message): object {
  if (message.kind === 'deployment') {
    const { event, isRecovery } = message;
    return { timestamp: event.happened_at, data: event, ...(isRecovery && { recovery: true }) };
  }
  if (message.kind === 'test') return { timestamp: message.at, data: { text: variablesOf(message)('text', true) } };
  if (isNews(message)) return { timestamp: message.at, data: message.content };
  const { count, firstId, lastId, statuses, places, failures } = message;
  return { timestamp: message.at, data: { count, first_id: firstId, last_id: lastId, statuses, places, failures } };
}
