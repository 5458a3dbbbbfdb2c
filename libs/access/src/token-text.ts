import type { Claims } from './claims.ts';

/** The unverified header and claims of a token. */
export interface TokenText {
  readonly header: Claims;
  readonly claims: Claims;
}

/** The content of a token; `undefined` if the text isn't a token. The signature may be empty, as with `alg: none`. */
export function readToken(text: string): TokenText | undefined {
  const parts = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]*$/.exec(text);
  const [header, claims] = parts ? parts.slice(1).map(objectIn) : [];
  return header && claims ? { header, claims } : undefined;
}

/** Deeper than the claims of any issuer. */
const levelsMax = 32;

function objectIn(part: string): Claims | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'));
    JSON.parse(text);
    const value = parsed(text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The value of a valid JSON text. `JSON.parse` keeps the last of two equal names and rounds large integers, so two
 * readers could see different claims. Here, names must be unique, and an integer beyond 2^53 becomes its text.
 * @throws SyntaxError
 */
function parsed(tokens: readonly string[]): unknown {
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const text = (token: string): string => {
    const value = JSON.parse(token) as string;
    // No database column can hold these.
    if (/[\0\p{Surrogate}]/u.test(value)) throw new SyntaxError('text with NUL or a lone surrogate');
    return value;
  };
  const value = (token: string, levels: number): unknown => {
    if (levels > levelsMax) throw new SyntaxError('nested too deeply');
    if (token === '{') return object(levels + 1);
    if (token === '[') return list(levels + 1);
    if (token.startsWith('"')) return text(token);
    const plain: unknown = JSON.parse(token);
    return typeof plain === 'number' && /^-?\d+$/.test(token) && !Number.isSafeInteger(plain) ? token : plain;
  };
  const object = (levels: number): Claims => {
    const members = new Map<string, unknown>();
    for (let token = next(); token !== '}'; token = next()) {
      const name = text(token === ',' ? next() : token);
      if (members.has(name)) throw new SyntaxError(`two members ${name}`);
      next();
      members.set(name, value(next(), levels));
    }
    return Object.fromEntries(members);
  };
  const list = (levels: number): unknown[] => {
    const items: unknown[] = [];
    for (let token = next(); token !== ']'; token = next()) items.push(value(token === ',' ? next() : token, levels));
    return items;
  };
  return value(next(), 0);
}
