import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/**
 * A request's path and query for the router. A path segment with invalid percent-encoding is used literally. So it is
 * an unknown name (404, or 422 if the name has a pattern: reading 1.6) and never a router error.
 */
export function routableUrl(request: IncomingMessage): string {
  const sent = request.url ?? '/';
  if (sent.startsWith('/') && !sent.includes('%')) return sent;
  const target = withoutAuthority(sent);
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(target) ?? [];
  const routable = path.replace(/[^/]+/g, (segment) =>
    decoded(segment) === undefined ? segment.replaceAll('%', '%25') : segment,
  );
  return `${routable.startsWith('/') ? '' : '/'}${routable}${query}`;
}

/** The path as sent, for the `instance` of a problem (reading 8.4). */
export function pathAsSent(url: string | undefined): string {
  return withoutAuthority(url ?? '/').replace(/[?#].*$/s, '') || '/';
}

/** An absolute request target (`http://host/path`, as sent to proxies) reduced to its path. */
function withoutAuthority(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}

/**
 * Decodes percent-encoded text; returns `undefined` if the encoding is invalid. For thousands of invalid parts, the
 * exceptions of `decodeURIComponent` would take tens of milliseconds.
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
