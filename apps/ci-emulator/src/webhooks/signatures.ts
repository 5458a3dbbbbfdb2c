import { createHmac } from 'node:crypto';
import type { OutageTool } from '@shiplog/companions';

export interface SignedDelivery {
  readonly tool: OutageTool;
  readonly hookId: number;
  readonly deliveryId: string;
  readonly event: string;
  readonly body: string;
  readonly secret: string;
  readonly signingToken: string | undefined;
  /** Makes every signature and token invalid, to test receivers. */
  readonly isBad: boolean;
  readonly now: number;
}

const headersOf: Readonly<Record<OutageTool, (delivery: SignedDelivery) => Record<string, string>>> = {
  github: githubHeaders,
  gitlab: gitlabHeaders,
  pagerduty: pagerDutyHeaders,
  alertmanager: alertmanagerHeaders,
};

/** A delivery's headers, in the tool's format (CI emulator §8). */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    ...headersOf[delivery.tool](delivery),
  };
}

function signed(algorithm: string, { body, secret, isBad }: SignedDelivery): string {
  const key = isBad ? `${secret}.` : secret;
  return createHmac(algorithm, key).update(body).digest('hex');
}

function githubHeaders(delivery: SignedDelivery): Record<string, string> {
  const { event, deliveryId, hookId } = delivery;
  return {
    'User-Agent': 'GitHub-Hookshot/emulated',
    'X-GitHub-Event': event,
    'X-GitHub-Delivery': deliveryId,
    'X-GitHub-Hook-ID': String(hookId),
    'X-Hub-Signature': `sha1=${signed('sha1', delivery)}`,
    'X-Hub-Signature-256': `sha256=${signed('sha256', delivery)}`,
  };
}

function gitlabHeaders({
  event,
  deliveryId,
  hookId,
  body,
  secret,
  signingToken,
  isBad,
  now,
}: SignedDelivery): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const standard =
    signingToken === undefined
      ? {}
      : {
          'webhook-id': deliveryId,
          'webhook-timestamp': timestamp,
          'webhook-signature': standardSignature(
            `${deliveryId}.${timestamp}.${body}`,
            isBad ? `${signingToken}A` : signingToken,
          ),
        };
  return {
    'User-Agent': 'GitLab/emulated',
    'X-Gitlab-Event': event,
    'X-Gitlab-Token': isBad ? `${secret}.` : secret,
    'X-Gitlab-Instance': 'https://gitlab.com',
    'X-Gitlab-Webhook-UUID': `00000000-0000-4000-8000-${String(hookId).padStart(12, '0')}`,
    'X-Gitlab-Event-UUID': deliveryId,
    'Idempotency-Key': deliveryId,
    ...standard,
  };
}

function pagerDutyHeaders(delivery: SignedDelivery): Record<string, string> {
  const { deliveryId, hookId } = delivery;
  return {
    'User-Agent': 'PagerDuty-Webhook/V3.0',
    'X-PagerDuty-Signature': `v1=${signed('sha256', delivery)}`,
    'X-Webhook-Id': deliveryId,
    'X-Webhook-Subscription': `P${String(hookId).padStart(6, '0')}`,
  };
}

/** Alertmanager signs nothing; it sends `basic_auth` with the user `alertmanager`. */
function alertmanagerHeaders({ secret, isBad }: SignedDelivery): Record<string, string> {
  const credentials = Buffer.from(`alertmanager:${isBad ? `${secret}.` : secret}`).toString('base64');
  return { 'User-Agent': 'Alertmanager/emulated', Authorization: `Basic ${credentials}` };
}

/** A signing token with the prefix `whsec_` is base64; any other is used as bytes. */
function standardSignature(signed: string, token: string): string {
  const key = token.startsWith('whsec_') ? Buffer.from(token.slice('whsec_'.length), 'base64') : Buffer.from(token);
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
