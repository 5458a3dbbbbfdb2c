import type { RuleMatch, VerifiedToken } from '@shiplog/access';
import type { AccessSelf, CredentialKind, May } from '@shiplog/contract';

/** Who sends a request, and what it may do. */
export interface Credential {
  readonly kind: CredentialKind;
  /** `null` for the shared key. */
  readonly id: string | null;
  readonly name: string | null;
  readonly may: May;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number | undefined;
  /** How acts name it, if that isn't its id. */
  readonly subject?: string;
  /** For a named key, because another key may later get its id. */
  readonly sha256?: string;
}

/** The identity token of a CI job, verified, with the rule that it matches. */
export interface TokenCredential extends Credential {
  readonly kind: 'token';
  readonly token: VerifiedToken;
  readonly match: RuleMatch;
}

export function isToken(credential: Credential): credential is TokenCredential {
  return credential.kind === 'token';
}

/** The response of `GET /api/access/self`. */
export function selfOf({ kind, id, name, may, expires }: Credential): AccessSelf {
  return { kind, id, name, may, expires: expires === undefined ? null : new Date(expires).toISOString() };
}

/** The `subject` of acts about a credential (access.md 9.27). */
export function subjectOf({ subject, id }: Credential): string | null {
  return subject ?? id;
}
