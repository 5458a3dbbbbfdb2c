import type { May } from '@shiplog/contract';
import {
  type Claims,
  claimText,
  claimValue,
  foldedName,
  isSameClaim,
  plainRepository,
  repositoryClaims,
} from './claims.ts';
import { matchesAny } from './grants.ts';
import { isPublic } from './issuer.ts';
import type { VerifiedToken } from './token.ts';

/** A rule of `pipelines` in the access file. */
export interface Rule {
  /** From 1, in the file's order. */
  readonly number: number;
  /** The name of an issuer. */
  readonly issuer: string;
  readonly claims: readonly RuleClaim[];
  readonly may: May;
}

export interface RuleClaim {
  readonly claim: string;
  /** The accepted values of the claim, as text. */
  readonly values: readonly string[];
}

/** Why a rule did not match, for the response (access.md 3.8, 9.15). */
export interface Tried {
  readonly rule: number;
  /** The first claim that differs; `null` for the rule that matched. */
  readonly claim: string | null;
  /** `null` if a stranger must not learn it. */
  readonly expected: string[] | null;
  readonly found: string | null;
}

export interface RuleMatch {
  /** The first rule that matches; it decides, even if it then refuses. */
  readonly rule: Rule | undefined;
  readonly tried: readonly Tried[];
}

type Judged = Pick<VerifiedToken, 'issuer' | 'claims'>;

const unsafeEvent = 'pull_request_target';

/** The rule for a token. */
export function matchRule(token: Judged, rules: readonly Rule[]): RuleMatch {
  const ofIssuer = rules.filter(({ issuer }) => issuer === token.issuer.name);
  const mayTell = !isPublic(token.issuer) || ofIssuer.some((rule) => namesOwner(rule, token));
  const tried: Tried[] = [];
  for (const rule of ofIssuer) {
    const difference = firstDifference(rule, token);
    if (!difference) {
      tried.push({ rule: rule.number, claim: null, expected: null, found: null });
      return { rule, tried };
    }
    const { claim, values } = difference;
    tried.push({
      rule: rule.number,
      claim,
      expected: mayTell ? [...values] : null,
      found: foundText(token.claims, claim),
    });
  }
  return { rule: undefined, tried };
}

function firstDifference({ claims }: Rule, { issuer, claims: found }: Judged): RuleClaim | undefined {
  const different = claims.find(({ claim, values }) => {
    const text = claimText(found, claim);
    return text === undefined || !values.some((value) => isSameClaim(issuer.kind, claim, value, text));
  });
  if (different) return different;
  const isUnsafe = issuer.kind === 'github' && found.event_name === unsafeEvent;
  return isUnsafe && !claims.some(({ claim }) => claim === 'event_name')
    ? { claim: 'event_name', values: [] }
    : undefined;
}

function foundText(claims: Claims, claim: string): string | null {
  const value = claimValue(claims, claim);
  return value === undefined ? null : (claimText(claims, claim) ?? JSON.stringify(value));
}

/**
 * Whether a rule names the owner of the token's repository, so that rules are not disclosed to a public issuer's tokens
 * of other owners.
 */
function namesOwner({ claims }: Rule, { issuer, claims: found }: Judged): boolean {
  if (issuer.kind === 'generic') return false;
  const { kind } = issuer;
  const { name, id, owner, ownerId } = repositoryClaims[kind];
  const ownerText = claimText(found, owner);
  return claims.some(({ claim, values }) => {
    const text = claimText(found, claim);
    if (claim === id || claim === owner || claim === ownerId) {
      return text !== undefined && values.some((value) => isSameClaim(kind, claim, value, text));
    }
    if (claim !== name || ownerText === undefined) return false;
    return values.some((value) => isSameClaim(kind, owner, value.slice(0, value.lastIndexOf('/')), ownerText));
  });
}

export interface Slot {
  readonly service: string;
  readonly environment: string;
}

/** A token, and the repositories that the catalog knows. */
type Poster = Judged & { readonly repositoryOf: RepositoryOf };

/** The members of a slot for which a credential may not post. */
export function outsideOf(post: May['post'], slot: Slot, token?: Poster): (keyof Slot)[] {
  const { services, environments } = post ?? { services: [], environments: [] };
  const isService =
    services === 'own' ? token !== undefined && isOwn(slot.service, token) : matchesAny(services, slot.service);
  const isEnvironment =
    environments === 'claimed'
      ? token !== undefined && isClaimed(slot.environment, token)
      : matchesAny(environments, slot.environment);
  return [...(isService ? [] : (['service'] as const)), ...(isEnvironment ? [] : (['environment'] as const))];
}

/**
 * Why a member of a slot is out of the scope of a token, as a clause; `undefined` if the scope is a list, which
 * explains itself.
 */
export function whyOutside(member: keyof Slot, post: May['post'], slot: Slot, token: Poster): string | undefined {
  if (typeof post?.[`${member}s`] !== 'string') return undefined;
  if (member === 'environment') {
    const claimed = claimText(token.claims, 'environment');
    return `the token names ${claimed === undefined ? 'no environment' : JSON.stringify(claimed)}`;
  }
  const own = repositoryAddress(token);
  const repository = token.repositoryOf(slot.service);
  if (own === undefined) return 'the token names no repository';
  if (!repository) return `the catalog has no repository for this service, and the token is from ${own}`;
  return `its repository in the catalog is ${repository}, and the token is from ${own}`;
}

/** The repository of a service in the catalog. */
type RepositoryOf = (service: string) => string | null;

/** Whether the service's repository in the catalog is the token's. */
function isOwn(service: string, { issuer, claims, repositoryOf }: Poster): boolean {
  const [repository, address] = [repositoryOf(service), repositoryAddress({ issuer, claims })];
  if (!repository || address === undefined) return false;
  return plainRepository(issuer.kind, repository) === plainRepository(issuer.kind, address);
}

function isClaimed(environment: string, { issuer, claims }: Judged): boolean {
  const claimed = claimText(claims, 'environment');
  return claimed !== undefined && isSameClaim(issuer.kind, 'environment', claimed, environment);
}

/** The address of the token's repository. */
export function repositoryAddress({ issuer, claims }: Judged): string | undefined {
  if (issuer.kind === 'generic') return undefined;
  const name = claimText(claims, repositoryClaims[issuer.kind].name);
  return name === undefined || issuer.serverUrl === undefined ? undefined : `${issuer.serverUrl}/${name}`;
}

/** A name for which a rule accepts a token, with the id behind it (access.md 3.7, 9.16). */
export interface PinnedName {
  readonly issuer: string;
  readonly kind: 'repository' | 'owner';
  readonly name: string;
  readonly folded: string;
  /** Missing if the token doesn't include it. */
  readonly id: string | undefined;
}

/** The names whose ids must not change. A rule that names the id needs no such names. */
export function pinnedNames({ issuer, claims }: Judged, rule: Rule): PinnedName[] {
  if (issuer.kind === 'generic') return [];
  const names = repositoryClaims[issuer.kind];
  const has = (name: string) => rule.claims.some(({ claim }) => claim === name);
  const pin = (kind: PinnedName['kind'], nameClaim: string, idClaim: string): PinnedName => {
    const name = claimText(claims, nameClaim) ?? '';
    return { issuer: issuer.name, kind, name, folded: foldedName(issuer.kind, name), id: claimText(claims, idClaim) };
  };
  const needsRepository = has(names.name) || rule.may.post?.services === 'own';
  return [
    ...(needsRepository && !has(names.id) ? [pin('repository', names.name, names.id)] : []),
    ...(has(names.owner) && !has(names.ownerId) ? [pin('owner', names.owner, names.ownerId)] : []),
  ];
}
