import { availableParallelism } from 'node:os';
import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { headerNames } from '@shiplog/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';

const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** A smaller response fits into one or two packets even without compression. */
const bytesMin = 1024;
/** A larger response is compressed at a faster level: three times as fast, but the result is 10% larger. */
const largeBytes = 1024 * 1024;
const compressibleType = /^(text\/(?!event-stream)|application\/(.*\+)?(json|javascript|xml)|image\/svg\+xml)/;

const brotliOptions = (bytes: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: bytes > largeBytes ? 1 : 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
});
const gzipOptions = (bytes: number) => ({ level: bytes > largeBytes ? 1 : 6 });

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/**
 * Compresses responses in the thread pool for clients that accept it. Validators are weak, so each is valid for every
 * encoding. Compresses at most one response per core at a time: the same threads read files and resolve host names, and
 * compressing large boards for many clients at once would block these threads for seconds.
 */
export const compressAnswers = plugin(async (app: FastifyInstance) => {
  const inTurn = turns(availableParallelism());
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 304) reply.header(headerNames.vary, headerNames.acceptEncoding);
    if (!isCompressible(reply, payload)) return done(null, payload);
    reply.header(headerNames.vary, headerNames.acceptEncoding);
    const encoding = acceptedEncoding(request);
    if (!encoding) return done(null, payload);
    reply.header('Content-Encoding', encoding).removeHeader('content-length');
    if (isStream(payload)) {
      // If compression fails, close the connection, so that the client notices the incomplete response.
      const compressor = encoding === 'br' ? createBrotliCompress(brotliOptions(0)) : createGzip();
      return done(
        null,
        pipeline(payload, compressor, () => {}),
      );
    }
    const bytes = Buffer.from(payload as string);
    inTurn(() =>
      encoding === 'br' ? asBrotli(bytes, brotliOptions(bytes.length)) : asGzip(bytes, gzipOptions(bytes.length)),
    ).then((compressed) => done(null, compressed), done);
  });
});

function isCompressible(reply: FastifyReply, payload: unknown): boolean {
  const isLarge =
    isStream(payload) || ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > bytesMin);
  return (
    isLarge &&
    reply.statusCode !== 206 &&
    !reply.hasHeader('content-encoding') &&
    // A response with `no-transform` must not be compressed (RFC 9111, 5.2.2.6).
    !/no-transform/.test(String(reply.getHeader('cache-control') ?? '')) &&
    compressibleType.test(String(reply.getHeader('content-type') ?? ''))
  );
}

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as Readable | undefined)?.pipe === 'function';
}

/** The encoding that a client prefers. If it prefers several equally, the first one in our order (RFC 9110, 12.5.3). */
function acceptedEncoding({ headers }: Pick<FastifyRequest, 'headers'>): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const entry of String(headers['accept-encoding'] ?? '').split(',')) {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [best] = encodings.toSorted((one, other) => weightOf(other) - weightOf(one));
  return best && weightOf(best) > 0 ? best : undefined;
}

/** Limits how many tasks run at a time. Other tasks wait in order of arrival. */
function turns(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next task takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
