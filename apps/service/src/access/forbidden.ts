import type { PinnedName } from '@shiplog/access';
import { type FieldError, keyHeaders, type May } from '@shiplog/contract';
import { Problem } from '@shiplog/server';
import type { Pin } from '../db/access/pins.ts';
import type { ActRecord } from './act-record.ts';
import { type Credential, isToken, subjectOf } from './credential.ts';

/** What a request asked for (access.md 9.6). */
export type Asked =
  | { readonly service: string; readonly environment: string }
  | { readonly services: readonly string[]; readonly environments: readonly string[] }
  | { readonly component: string }
  | { readonly adapter: string }
  | { readonly outage: true }
  | { readonly read: true }
  | { readonly control: true };

interface ForbiddenOptions {
  readonly acts: ActRecord;
  readonly sender: Credential;
  readonly asked: Asked;
  /** What is out of scope, and why, as a clause. */
  readonly outside: readonly { readonly pointer: string; readonly why?: string | undefined }[];
  /** For a token; `scope` by default. */
  readonly reason?: 'no-rule' | 'scope' | 'pinned';
  /** The sentence before what the sender may do. */
  readonly detail?: string;
}

/** 403 that says what was refused and why (access.md 2.3, 3.8, 9.6). Recorded as an act. */
export function forbidden({ acts, sender, asked, outside, reason = 'scope', detail }: ForbiddenOptions): Problem {
  acts.refuse({
    subject: subjectOf(sender),
    reason,
    ...(reason === 'pinned' && { kind: 'pin-refused' as const }),
    detail: { asked },
  });
  const { kind, id, name, may } = sender;
  const ofToken = isToken(sender) && {
    reason,
    claims: { ...sender.token.claims },
    tried: [...sender.match.tried],
  };
  const errors: FieldError[] = outside.map(({ pointer, why }) => ({
    pointer,
    message: `is out of the scope of the credential${why ? `: ${why}` : ''}`,
  }));
  return new Problem('forbidden', {
    detail: detail ?? `${titleOf(sender)} may not ${askedText(asked)}. It may ${mayText(may)}.`,
    errors,
    access: { credential: { kind, id, name }, may, asked, ...ofToken },
  });
}

/** 403 for a token whose repository or owner has a different id than before, or none (access.md 3.7). */
export function pinnedName({ acts, sender, asked }: Pick<ForbiddenOptions, 'acts' | 'sender' | 'asked'>): Problem {
  const { name } = sender;
  const pin = isToken(sender) ? `/${sender.token.issuer.name}/${encodeURIComponent(name ?? '')}` : '';
  return forbidden({
    ...{ acts, sender, asked },
    outside: [],
    reason: 'pinned',
    detail: `The repository or owner of ${name} has a different id than when it was first accepted. If it was created again on purpose, forget its pin with the control key: DELETE /api/access/pins${pin}.`,
  });
}

export function isPin(pin: PinnedName): pin is PinnedName & Pin {
  return pin.id !== undefined;
}

function titleOf({ kind, id, name }: Credential): string {
  if (kind === 'shared') return 'The shared key';
  if (kind === 'key') return `The key ${id} (${name})`;
  return kind === 'token' ? `The token of ${name}` : `${name}`;
}

function askedText(asked: Asked): string {
  if ('service' in asked) return `post for ${JSON.stringify(asked.service)} in ${JSON.stringify(asked.environment)}`;
  if ('services' in asked) return `hold ${asked.services.join(', ')} in ${asked.environments.join(', ')}`;
  if ('component' in asked) return `report as ${JSON.stringify(asked.component)}`;
  if ('adapter' in asked) return `use the cursor of ${JSON.stringify(asked.adapter)}`;
  if ('outage' in asked) return 'report outages';
  return 'read' in asked ? 'read' : `be used in ${keyHeaders.control}`;
}

function mayText({ post, hold, report, state, outage, read, control }: May): string {
  const rights = [
    post && `post for ${listText(post.services)} in ${listText(post.environments)}`,
    hold && `hold ${listText(hold.services)} in ${listText(hold.environments)}`,
    report.length > 0 && `report as ${report.join(', ')}`,
    state.length > 0 && `use the cursors of ${state.join(', ')}`,
    outage && 'report outages',
    read && 'read',
    control && `be used in ${keyHeaders.control}`,
  ].filter((right) => typeof right === 'string');
  return rights.join('; ') || 'do nothing';
}

function listText(names: readonly string[] | 'own' | 'claimed'): string {
  if (names === 'own') return "its repository's services";
  return names === 'claimed' ? 'the environment that the token names' : names.join(', ');
}
