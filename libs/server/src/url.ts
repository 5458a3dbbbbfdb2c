import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/**
 * A request's path and query for the router: an absolute request target is reduced to its path, and a
 * path segment with broken percent-encoding is taken literally, so that it is an unknown name (404, or 422
 * if the name has a pattern: reading 1.6) and never an error of the router.
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

/**
 * A percent-encoded text, `undefined` where its encoding is broken. An exception of `decodeURIComponent` for each of the
 * thousands of segments or pairs of a head would take tens of milliseconds.
 */
export function decoded(text: string): string | undefined {
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  let isBroken = false;
  const plain = text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex');
    isBroken ||= !isUtf8(bytes);
    return bytes.toString();
  });
  return isBroken ? undefined : plain;
}
