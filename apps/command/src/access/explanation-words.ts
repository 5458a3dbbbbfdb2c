import type { RuleMatch, TokenFault, UnverifiedToken } from '@shiplog/access';
import type { May } from '@shiplog/contract';
import type { Output } from '../output.ts';

type Reason = TokenFault | 'no-rule' | 'scope' | 'pinned';
type Claims = UnverifiedToken['claims'];

export interface Explanation {
  /** Null if a rule accepts the token. */
  readonly reason: Reason | null;
  readonly claims: Claims | null;
  /** The number of the rule that decides. */
  readonly rule: number | null;
  readonly tried: RuleMatch['tried'];
  readonly may: May;
}

/** A member of a slot that the rule doesn't allow, with the reason as a clause. */
export interface Outside {
  readonly member: 'service' | 'environment';
  readonly why: string | undefined;
}

/** An explanation with what only the printed text contains. */
export interface Explained {
  readonly explanation: Explanation;
  readonly token: UnverifiedToken | undefined;
  /** How the signature was checked, or why not. */
  readonly signature: string;
  readonly outside: readonly Outside[];
  readonly hasCatalog: boolean;
  readonly isAudienceKnown: boolean;
  readonly now: Date;
}

const faults: Readonly<Record<TokenFault, string>> = {
  'too-large': 'the token is larger than 12 KiB',
  malformed: 'this is not a JSON Web Token with exp and without crit',
  algorithm: 'the token is not signed with RS256, PS256, ES256 or EdDSA',
  'unknown-issuer': "the access file doesn't list the token's issuer (iss)",
  'unknown-key': "none of the issuer's keys matches the token",
  signature: "the token's signature is invalid",
  audience: 'the token is for another audience (aud)',
  expired: 'the token has expired',
  'not-yet-valid': 'the token is not valid yet (nbf)',
};

/** Prints an explanation in words. Claims are user-supplied. */
export function printExplanation(explained: Explained, out: Output): void {
  const { explanation, token, signature, isAudienceKnown } = explained;
  const { reason, claims, tried, may } = explanation;
  const say = (text: string) => out.line(out.text(text));
  if (token) say(`Token of ${token.issuer.name} (${token.issuer.url}), ${endText(token.exp, explained.now)}.`);
  else if (claims) say(`Token of ${JSON.stringify(claims.iss ?? null)}.`);
  say(`Signature: ${signature}.`);
  if (token && !isAudienceKnown)
    say('Audience: not checked, because PUBLIC_URL, SHIPLOG_AUDIENCE and SHIPLOG_URL are not set.');
  for (const { rule, claim, expected, found } of tried) {
    if (claim === null) say(`Rule ${rule} matches. It lets the token ${mayText(may)}.`);
    else say(`Rule ${rule} doesn't match: ${claim} is ${found ?? 'missing'}${expectedText(claim, expected)}.`);
  }
  if (reason === null) say('Accepted.');
  else say(`Refused (${reason}): ${reasonText(reason, explained)}.`);
}

function endText(exp: number, now: Date): string {
  const end = new Date(exp * 1000);
  return `${end < now ? 'expired' : 'expires'} at ${end.toISOString()}`;
}

function expectedText(claim: string, expected: readonly string[] | null): string {
  if (expected === null) return "; what the rule expects is not shown to owners that the file doesn't name";
  if (expected.length === 0) return `, and the rule doesn't name ${claim}`;
  return `, not ${expected.join(' or ')}`;
}

function mayText({ post, read, outage }: May): string {
  const services = post?.services === 'own' ? "its repository's services" : post?.services.join(', ');
  const environments =
    post?.environments === 'claimed' ? 'the environment that it names' : post?.environments.join(', ');
  return [`post for ${services} in ${environments}`, read && 'read', outage && 'report outages']
    .filter(Boolean)
    .join(', ');
}

function reasonText(
  reason: NonNullable<Explained['explanation']['reason']>,
  { explanation: { claims }, token, outside, hasCatalog }: Explained,
): string {
  if (reason === 'no-rule') return 'no rule of its issuer matches';
  if (reason === 'pinned')
    return 'the token lacks the id of its repository or owner, which the rule names by name only';
  if (reason === 'audience') {
    return `${faults.audience}: ${JSON.stringify(claims?.aud ?? null)}, not ${JSON.stringify(token?.issuer.audience)}`;
  }
  if (reason !== 'scope') return faults[reason];
  return outside
    .map(({ member, why }) => {
      const clause = member === 'service' && why && !hasCatalog ? 'name the catalog with --catalog' : why;
      return `the ${member} is out of the rule's scope${clause ? `: ${clause}` : ''}`;
    })
    .join('; ');
}
