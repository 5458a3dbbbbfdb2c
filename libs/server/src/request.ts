import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { emptyIsAbsent, type FieldError, limits } from '@shiplog/contract';
import type { TObject } from 'typebox';

/**
 * The path and query of a request as the router takes them: an absolute request target is reduced to its path, and a
 * path segment with broken percent-encoding is taken to the letter, so that it is a name that nobody has (404, or 422
 * where the name has a pattern: reading 1.6) and never a fault of the router.
 */
export function routableUrl(request: IncomingMessage): string {
  const sent = request.url ?? '/';
  if (sent.startsWith('/') && !sent.includes('%')) return sent;
  const target = withoutAuthority(sent);
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const query = queryAt < 0 ? '' : target.slice(queryAt);
  const segments = path
    .split('/')
    .map((segment) => (decoded(segment) === undefined ? segment.replaceAll('%', '%25') : segment));
  const routable = segments.join('/');
  return `${routable.startsWith('/') ? '' : '/'}${routable}${query}`;
}

/** The path of a request as it was sent, for `instance` of a problem (reading 8.4). */
export function pathAsSent(url: string | undefined): string {
  return withoutAuthority(url ?? '/').replace(/[?#].*$/s, '') || '/';
}

/** An absolute request target (`http://host/path`, as proxies send it) without what comes before its path. */
function withoutAuthority(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}

/** Whether the head of a request is sound HTTP where Node lets more pass (RFC 9112). */
export function isSoundHead(request: IncomingMessage): boolean {
  const { httpVersion } = request;
  return (httpVersion === '1.1' || httpVersion === '1.0') && namesItsHost(request) && framesItsBody(request);
}

/** Chunks are the one coding, and HTTP/1.0 has none (6.1): programs on the way may find another end of such a body. */
function framesItsBody({ httpVersion, headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/**
 * Whether the request names its host as HTTP/1.1 demands (3.2): one `Host` line with a valid value. Node's own check
 * answers without a body and overlooks a second line.
 */
function namesItsHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  if (hosts.length === 0) return httpVersion === '1.0';
  return hosts.length === 1 && hosts.every((host) => hostValue.test(host));
}

const hostValue = /^(\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]*)(:\d*)?$/i;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Longer than any name that can be stored, and none of the values that other rules take. */
const matchesNothing = '\ufffd'.repeat(limits.runUrl + 1);

/**
 * Query parameters by name; a repeated one becomes an array, which no rule accepts. A value with NUL or broken
 * percent-encoding becomes a text that as a filter matches nothing, and is a fault everywhere else (readings 1.3 and
 * 1.6).
 */
export function parseQuery(query: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null);
  if (query === '') return values;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equalsAt = pair.indexOf('=');
    const rawName = equalsAt < 0 ? pair : pair.slice(0, equalsAt);
    const name = decoded(rawName.replaceAll('+', ' '));
    if (name === undefined) continue;
    const text = decoded((equalsAt < 0 ? '' : pair.slice(equalsAt + 1)).replaceAll('+', ' '));
    const value = text === undefined || text.includes('\0') ? matchesNothing : text;
    const earlier = values[name];
    values[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return values;
}

/**
 * The query by its rules (reading 1.3): what is an integer becomes one, anything but decimal digits stays text and fails
 * its rule; an empty filter counts as absent.
 */
export function declaredQuery(query: Record<string, unknown>, shape: TObject): Record<string, unknown> {
  const values = { ...query };
  for (const [name, property] of Object.entries<{ type?: string; [emptyIsAbsent]?: true }>(shape.properties)) {
    const value = values[name];
    if (value === '' && property[emptyIsAbsent]) delete values[name];
    if (property.type === 'integer' && typeof value === 'string' && /^\d+$/.test(value)) values[name] = Number(value);
  }
  return values;
}

/** The declared headers under their written names; an empty one counts as absent (readings 3.5 and 7.2). */
export function declaredHeaders(headers: IncomingMessage['headers'], shape: TObject): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(shape.properties)) {
    const value = headers[name.toLowerCase()];
    if (typeof value === 'string' && value !== '') values[name] = headerText(value);
  }
  return values;
}

/** Node gives header bytes as Latin-1; they are read as UTF-8 where they are UTF-8 (reading 7.2). */
function headerText(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : latin1;
}

/** A request body as text and value, or the fault that it is (reading 1.1). */
export type ReadBody = { readonly text: string; readonly value: object } | { readonly fault: FieldError };

/**
 * Reads a body whatever its `Content-Type` says: a JSON object in UTF-8, or a fault at pointer "".
 *
 * @param encoding the request's `Content-Encoding`; there is none that is taken, which is said where it is the cause.
 */
export function readJsonObject(bytes: Buffer | undefined, encoding?: string): ReadBody {
  if (!bytes || bytes.length === 0) return bodyFault('must be a JSON object, and is empty');
  const isEncoded = encoding !== undefined && !/^(identity)?$/i.test(encoding.trim());
  if (!isUtf8(bytes)) {
    return bodyFault(isEncoded ? 'must be plain JSON; Content-Encoding is not supported' : 'must be JSON in UTF-8');
  }
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bodyFault('must be valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bodyFault('must be a JSON object');
  return { text, value };
}

function bodyFault(message: string): ReadBody {
  return { fault: { pointer: '', message } };
}
