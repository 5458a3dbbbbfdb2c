import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FieldError } from '@shiplog/contract';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';
import { Problem } from './problem.ts';

/**
 * Reads bodies as bytes, whatever their declared type (reading 1.1). Rejects a body that is too large immediately and
 * discards its remaining bytes, so that the response reaches a client that is still sending.
 */
export const readBodies = plugin(async (app: FastifyInstance) => {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') request.raw.headers['content-type'] = 'application/json';
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ routeOptions: { bodyLimit } }, payload: IncomingMessage, done) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', settle).resume();
      done(error, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyLimit) chunks.push(chunk);
      else settle(new Problem('payload-too-large', { detail: `The body is larger than ${bodyLimit} bytes.` }));
    };
    const onEnd = () => settle(null);
    payload.on('data', onData).on('end', onEnd).on('error', settle);
  });
});

type ReadBody = { readonly text: string; readonly value: object } | { readonly error: FieldError };

/**
 * Parses a JSON object in UTF-8, or returns the error (reading 1.1).
 * @param encoding the request's `Content-Encoding`; none is supported.
 */
export function readJsonObject(bytes: Buffer | undefined, encoding?: string): ReadBody {
  if (!bytes || bytes.length === 0) return bodyError('must be a JSON object, but is empty');
  const isEncoded = encoding !== undefined && !/^(identity)?$/i.test(encoding.trim());
  if (!isUtf8(bytes)) {
    return bodyError(isEncoded ? 'must be plain JSON; Content-Encoding is not supported' : 'must be JSON in UTF-8');
  }
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const hasMark = text.startsWith('\ufeff');
    return bodyError(hasMark ? 'must not begin with a byte order mark (U+FEFF)' : 'must be valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bodyError('must be a JSON object');
  return { text, value };
}

function bodyError(message: string) {
  return { error: { pointer: '', message } };
}
