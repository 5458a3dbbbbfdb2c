import { signingKey } from '@shiplog/component';
import { hookSecretMin, signingTokenForm } from '../settings.ts';
import type { WebhookEntry } from './webhooks.ts';

/** What is wrong with the secret of a webhook in the configuration file, if anything. */
export function secretMistake({ name, auth }: WebhookEntry, secret: string | undefined): string | undefined {
  if (secret === undefined || secret.length < hookSecretMin) {
    const lack = secret === undefined ? 'is not set' : 'is too short';
    return `${auth.secretEnv} ${lack}; the webhook "${name}" needs a secret of at least ${hookSecretMin} characters in it.`;
  }
  const isBad = auth.type === 'standard-webhooks' && signingKey(secret) === undefined;
  return isBad ? `${auth.secretEnv} is not acceptable; it must be ${signingTokenForm}.` : undefined;
}
