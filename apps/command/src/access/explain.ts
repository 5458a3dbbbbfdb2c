import {
  type AccessFile,
  type Issuer,
  inspectToken,
  matchRule,
  noMay,
  outsideOf,
  pinnedNames,
  type TokenFault,
  type UnverifiedToken,
  verifyToken,
  whyOutside,
} from '@shiplog/access';
import { Catalog, parseCatalog } from '@shiplog/catalog';
import type { May } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { type Explanation, type Outside, printExplanation } from './explanation-words.ts';
import { accessFileOf, readText, unknownAudience, withoutFaults } from './read-files.ts';

type Claims = UnverifiedToken['claims'];

const catalogBytesMax = 4 * 1024 * 1024;

/** `shiplog access explain`: explains offline how the service would judge a token (access.md 3.8, 9.29). */
export async function explain({ options }: Given, context: Context): Promise<number> {
  const { file: path, service, environment, catalog } = options as Readonly<Record<string, string | undefined>>;
  if (path === undefined) throw usageFailure('--file is required: the access file of the service.');
  const publicUrl = audienceOf(context);
  const file = accessFileOf(await readText(path), path, publicUrl);
  const repositories = catalog === undefined ? undefined : await catalogOf(catalog);
  const text = await tokenIn(context.stdin);
  const now = context.clock.now();
  const { token, reason: fault, signature, claims } = await judge(text, file, now);
  const match = token && matchRule(token, file.rules);
  const repositoryOf = (name: string) => repositories?.itemOf(name).repository ?? null;
  const outside =
    token && match?.rule ? outsideOfRule(match.rule.may, { service, environment }, { ...token, repositoryOf }) : [];
  const lacksId = token && match?.rule && pinnedNames(token, match.rule).some(({ id }) => id === undefined);
  const refusal = !match?.rule ? 'no-rule' : outside.length > 0 ? 'scope' : lacksId ? 'pinned' : null;
  const explanation: Explanation = {
    reason: fault ?? refusal,
    claims: claims ?? null,
    rule: match?.rule?.number ?? null,
    tried: match?.tried ?? [],
    may: match?.rule?.may ?? noMay,
  };
  const inFile = file.issuers.find(({ name }) => name === token?.issuer.name);
  const isAudienceKnown = inFile?.audience !== unknownAudience;
  if (context.out.isJson) context.out.json(explanation);
  else
    printExplanation(
      { explanation, token, signature, outside, isAudienceKnown, hasCatalog: repositories !== undefined, now },
      context.out,
    );
  return explanation.reason === null ? exitCodes.done : exitCodes.no;
}

/** The audience that issuers have by default. */
function audienceOf({ env, isUrlSet, url }: Context): string | undefined {
  const given = env.PUBLIC_URL || env.SHIPLOG_AUDIENCE || (isUrlSet ? url : undefined);
  return given?.replace(/\/+$/, '');
}

async function catalogOf(path: string): Promise<Catalog> {
  const text = await readText(path, catalogBytesMax);
  const { entries, presets } = withoutFaults(() => parseCatalog(text, path));
  return new Catalog(entries, presets);
}

const inputBytesMax = 64 * 1024;

/** The token, which must not be an argument, where others would see it. */
async function tokenIn(stdin: Context['stdin']): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stdin) {
    pieces.push(Buffer.from(piece));
    bytes += piece.length;
    if (bytes > inputBytesMax) break;
  }
  const text = Buffer.concat(pieces).toString('utf8').trim();
  if (text === '') throw usageFailure('Give the token on standard input.');
  return text;
}

interface Judged {
  readonly token: UnverifiedToken | undefined;
  readonly reason: TokenFault | undefined;
  readonly claims: Claims | undefined;
  readonly signature: string;
}

async function judge(text: string, { issuers }: AccessFile, now: Date): Promise<Judged> {
  const context = { issuers: withAudience(issuers, text), now: now.getTime() };
  const { token, refused } = inspectToken(text, context);
  const claims = token?.claims ?? refused?.claims;
  const unchecked = (why: string) => ({ token, reason: refused?.reason, claims, signature: `not checked: ${why}` });
  if (!token) return unchecked('the token was already refused');
  const { name, jwksFile } = token.issuer;
  if (jwksFile === undefined) return unchecked(`the issuer ${name} has no jwks_file`);
  const keys = await keysIn(jwksFile);
  if (!keys) return unchecked(`${jwksFile} is not a readable JSON Web Key Set`);
  const keysOf = async (_: Issuer, kid: string | undefined) =>
    keys.filter((key) => kid === undefined || key.kid === kid);
  const verified = await verifyToken(text, { ...context, keysOf });
  const reason = 'reason' in verified ? verified.reason : undefined;
  const isSigned = reason !== 'signature' && reason !== 'unknown-key';
  return { token, reason, claims, signature: `${isSigned ? 'valid' : 'not valid'}, checked with ${jwksFile}` };
}

/** If the default audience is unknown, every audience is accepted; the printed explanation says so. */
function withAudience(issuers: readonly Issuer[], text: string): readonly Issuer[] {
  return issuers.map((issuer) => {
    if (issuer.audience !== unknownAudience) return issuer;
    const { token } = inspectToken(text, { issuers: [issuer], now: 0 });
    const audience = [token?.claims.aud].flat().find((one) => typeof one === 'string');
    return { ...issuer, audience: audience ?? unknownAudience };
  });
}

type Keys = Awaited<ReturnType<Parameters<typeof verifyToken>[1]['keysOf']>>;

async function keysIn(path: string): Promise<Keys | undefined> {
  try {
    const { keys } = JSON.parse(await readText(path)) as { keys?: unknown };
    const isSet = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
    return isSet ? (keys as unknown as Keys) : undefined;
  } catch {
    return undefined;
  }
}

/** The given members of a slot that are outside the rule's scope. */
function outsideOfRule(
  { post }: May,
  given: { readonly service: string | undefined; readonly environment: string | undefined },
  token: Parameters<typeof whyOutside>[3],
): Outside[] {
  const slot = { service: given.service ?? '', environment: given.environment ?? '' };
  return outsideOf(post, slot, token)
    .filter((member) => given[member] !== undefined)
    .map((member) => ({ member, why: whyOutside(member, post, slot, token) }));
}
