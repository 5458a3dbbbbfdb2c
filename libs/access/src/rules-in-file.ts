import type { ConfigNode } from '@shiplog/component/yaml-file';
import type { May, SlotGrant } from '@shiplog/contract';
import { globsIn, onOff } from './file-values.ts';
import { noMay } from './grants.ts';
import { comparableUrl, type Issuer, isPublic } from './issuer.ts';
import type { Rule, RuleClaim } from './rules.ts';

interface RulesContext {
  readonly issuers: readonly Issuer[];
  readonly issuerNames: ReadonlySet<string>;
  readonly hasCatalog: boolean;
}

/** A rule for a public issuer needs one of these claims, because anyone can get a token from it. */
const owningClaims: Readonly<Record<string, readonly string[]>> = {
  'https://token.actions.githubusercontent.com': [
    'repository_id',
    'repository',
    'repository_owner_id',
    'repository_owner',
  ],
  'https://gitlab.com': ['project_id', 'project_path', 'namespace_id', 'namespace_path'],
};

/** The list `pipelines` (access.md 1.2, 3.4 to 3.6). */
export function rulesIn(nodes: readonly ConfigNode[], { issuers, issuerNames, hasCatalog }: RulesContext): Rule[] {
  return nodes.flatMap((node, index) => {
    const members = node.members(['issuer', 'claims', 'may']);
    if (!members) return [];
    for (const name of ['issuer', 'may'] as const) if (!members[name]) node.refuse(`needs "${name}"`);
    const name = members.issuer?.text();
    const issuer = issuers.find((each) => each.name === name);
    if (name !== undefined && !issuerNames.has(name))
      members.issuer?.refuse(`names ${JSON.stringify(name)}, an issuer that is not listed under issuers`);
    const claims = members.claims ? claimsIn(members.claims, issuer) : [];
    if (issuer) requireClaims(members.claims ?? node, claims, issuer);
    const may = members.may && mayIn(members.may, issuer, hasCatalog);
    return issuer && may ? [{ number: index + 1, issuer: issuer.name, claims, may }] : [];
  });
}

function requireClaims(node: ConfigNode, claims: readonly RuleClaim[], issuer: Issuer): void {
  const owning = isPublic(issuer) ? owningClaims[comparableUrl(issuer.url)] : undefined;
  if (owning && !claims.some(({ claim }) => owning.includes(claim))) {
    node.refuse(`must name one of ${owning.join(', ')}, because anyone can get a token from ${issuer.url}`);
  } else if (issuer.kind === 'generic' && claims.length === 0) node.refuse('must name at least one claim');
}

function claimsIn(node: ConfigNode, issuer: Issuer | undefined): RuleClaim[] {
  return node.entries().flatMap(([name, value]) => {
    const claim = plainClaim(name);
    if (name === '') value.refuse('has an empty name');
    if (name.startsWith('/') && /~(?![01])/.test(name)) value.refuse('is not a JSON Pointer; write ~ as ~0');
    if (claim === 'sub' && issuer && (issuer.kind !== 'generic' || isPublic(issuer))) {
      value.refuse(`must not be used, because ${issuer.name} may change its text; name other claims`);
      return [];
    }
    const items = value.isList ? value.items() : [value];
    if (value.isList && items.length === 0) value.refuse('is empty; list a value');
    return [{ claim, values: items.flatMap((item) => claimValueIn(item) ?? []) }];
  });
}

/** A pointer to a top-level claim becomes the claim's name, so that the rules about names apply to both. */
function plainClaim(name: string): string {
  const [, claim] = /^\/([^/]+)$/.exec(name) ?? [];
  if (claim === undefined) return name;
  const plain = claim.replaceAll('~1', '/').replaceAll('~0', '~');
  return plain.startsWith('/') ? name : plain;
}

const integerMax = 2 ** 53;

/** 2^53 + 1 is also read as 2^53. */
function hasLostDigits(value: number, source: string | undefined): boolean {
  if (!Number.isInteger(value) || Math.abs(value) < integerMax) return false;
  return source?.replace(/^[-+]/, '') !== String(integerMax);
}

/** The text of a value; for numbers and booleans, their JSON text. */
function claimValueIn(node: ConfigNode): string | undefined {
  const { value } = node;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) node.refuse('must be text, a number, true or false');
    if (Number.isFinite(value) && hasLostDigits(value, node.source)) node.refuse('is beyond 2^53; quote it');
    return JSON.stringify(value);
  }
  if (typeof value === 'boolean') return JSON.stringify(value);
  const text = node.text();
  if (text?.includes('*')) node.refuse('has a *, but claims are compared literally; list the values');
  return text;
}

function mayIn(node: ConfigNode, issuer: Issuer | undefined, hasCatalog: boolean): May | undefined {
  const members = node.members(['services', 'environments', 'read', 'outage']);
  if (!members) return undefined;
  const right = (member: ConfigNode | undefined) => member !== undefined && (onOff(member) ?? false);
  const services = wordOr('own', node, 'services', members.services);
  const environments = wordOr('claimed', node, 'environments', members.environments);
  if (services === 'own') requireOwn(members.services, issuer, hasCatalog);
  const post: SlotGrant = { services: services ?? [], environments: environments ?? [] };
  return { ...noMay, post, outage: right(members.outage), read: right(members.read) };
}

function wordOr<const Word extends string>(word: Word, parent: ConfigNode, name: string, node: ConfigNode | undefined) {
  if (!node) parent.refuse(`needs "${name}"`);
  if (!node || node.value === word) return node && word;
  if (!node.isList) node.refuse(`must be a list of globs, or ${word}`);
  return node.isList ? globsIn(node) : undefined;
}

function requireOwn(node: ConfigNode | undefined, issuer: Issuer | undefined, hasCatalog: boolean): void {
  if (!hasCatalog)
    node?.refuse(
      'is own, but CATALOG_FILE is not set, so the repositories of services are unknown; set it and restart, or list services',
    );
  if (issuer?.kind === 'generic') node?.refuse('is own, but a generic issuer names no repository; list globs');
  else if (issuer && issuer.serverUrl === undefined) {
    node?.refuse(`is own, but the server of the repositories is unknown; give the issuer ${issuer.name} a server_url`);
  }
}
