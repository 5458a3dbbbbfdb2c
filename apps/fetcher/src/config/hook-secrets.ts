import { signingKey } from '@shiplog/component';
import { hookSecretMin } from '../settings.ts';
import type { HookSettings, WebhookEntry } from './webhooks.ts';

const signingVariable = 'GITLAB_WEBHOOK_SIGNING_TOKEN';

/** A sentence for each secret of a webhook that is missing or cannot be one. */
export function hookMistakes({ gitlabSigningToken, entries, secretOf }: HookSettings): string[] {
  const isBad = gitlabSigningToken !== undefined && signingKey(gitlabSigningToken) === undefined;
  return [
    ...(isBad ? [signingMistake(signingVariable)] : []),
    ...entries.flatMap((entry) => mistakeOf(entry, secretOf(entry.auth.secretEnv)) ?? []),
  ];
}

function mistakeOf({ name, auth }: WebhookEntry, secret: string | undefined): string | undefined {
  if (secret === undefined || secret.length < hookSecretMin) {
    const lack = secret === undefined ? 'is not set' : 'is too short';
    return `${auth.secretEnv} ${lack}; the webhook "${name}" needs a secret of at least ${hookSecretMin} characters in it.`;
  }
  const isBad = auth.type === 'standard-webhooks' && signingKey(secret) === undefined;
  return isBad ? signingMistake(auth.secretEnv) : undefined;
}

function signingMistake(variable: string): string {
  return `${variable} is not acceptable; it takes a signing token: text of at least ${hookSecretMin} characters, base64 where it begins with whsec_.`;
}
