import type { Client } from '@shiplog/client';
import type { DeploymentEvent, Proof } from '@shiplog/contract';
import { posterOf } from '@shiplog/text';
import { unlessMissing } from '../failure.ts';

const atOnce = 8;

/** Who posted each event. `undefined` for one that was removed in the meantime. */
export async function proofsOf(
  client: Client,
  events: readonly Pick<DeploymentEvent, 'id'>[],
  signal: AbortSignal,
): Promise<(Proof | undefined)[]> {
  const found: (Proof | undefined)[] = [];
  for (let at = 0; at < events.length; at += atOnce) {
    const some = events.slice(at, at + atOnce).map(({ id }) => proofOf(client, id, signal));
    found.push(...(await Promise.all(some)));
  }
  return found;
}

async function proofOf(client: Client, id: string, signal: AbortSignal): Promise<Proof | undefined> {
  return (await unlessMissing(client.getProof({ params: { id }, signal })))?.body;
}

/** Who posted an event, in the words of the board (access.md 4.3), and which of its fields the token contradicts. */
export function proofText(proof: Proof | undefined): string {
  if (!proof) return '';
  const different = proof.claims.filter(({ agrees }) => !agrees).map(({ field, proven }) => `${field} was ${proven}`);
  return [posterOf(proof), different.length > 0 && `contradicted: ${different.join(', ')}`].filter(Boolean).join('; ');
}
