import type { HttpCall } from '@shiplog/testing';
import type { Target } from './cases.ts';
import {
  brokenShapes,
  chunk,
  chunked,
  filled,
  host,
  noChunk,
  otherProtocols,
  type Places,
  start,
} from './wire-shapes.ts';

/** Bytes on a connection and their only correct responses. */
export interface WireCase {
  readonly kind: string;
  readonly what: string;
  /** The bytes to send, one per character up to U+00FF. */
  readonly bytes: string;
  /** Whether the client ends its side of the connection after the bytes. */
  readonly ends?: true;
  /** The valid request that the bytes are derived from. */
  readonly call: HttpCall;
  /** The statuses of all responses until the connection is closed, separated by spaces. */
  readonly answers: RegExp;
}

function placesOf({ method, path, headers, body }: HttpCall, canary: string): Places {
  const text = Buffer.from(body ?? '{}').toString('latin1');
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return { method, target: path, headers: lines, body: text, size: text.length.toString(16), canary };
}

/** The name of a shape without the common prefix. */
function nameOf(shape: string): string {
  return JSON.stringify(shape.replace(start, '… ').slice(0, 60));
}

/** Requests with one malformed part. Each gets one error response, and its connection is closed. */
function brokenCases(target: Target, canary: string): WireCase[] {
  const { isRead, operation } = target;
  const call = target.call();
  const places = placesOf(call, canary);
  // A read does not wait for an unexpected body, so the response may be sent before the malformed body is detected.
  const readAnswers = operation.isStream ? /^(200|400)$/ : new RegExp(`^(${target.needsCredential ? 401 : 200} )?400$`);
  const inBody = isRead ? readAnswers : /^400$/;
  const broken = (kind: string, shape: string, answers: RegExp): WireCase => ({
    kind,
    what: nameOf(shape),
    bytes: filled(`${shape}{canary}`, places),
    call,
    answers,
  });
  const cuts = ['{method} {tar', start, `${start}Content-Length: 9999\r\n\r\n{body}`, `${start}${chunked}\r\n${chunk}`];
  return [
    ...Object.entries(brokenShapes).flatMap(([kind, shapes]) =>
      shapes.map((shape) => broken(kind, shape, kind === 'chunks' ? inBody : /^400$/)),
    ),
    ...cuts.map(
      (shape): WireCase => ({ ...broken('cut off', shape, inBody), bytes: filled(shape, places), ends: true }),
    ),
    broken('header fields', `${start}${'a:b\r\n'.repeat(10_000)}\r\n`, /^431$/),
  ];
}

/** Bodies after headers that end in an unusual but valid form. */
const soundBodies: readonly string[] = [
  `${chunked}\r\n${chunk.replace('\r\n', ';a=b;c="d"\r\n')}${noChunk}`,
  ...[`${chunked}\r\n${'0'.repeat(50)}${chunk}000\r\n\r\n`, `${chunked}\r\n${chunk}0\r\nX-Checksum: none\r\n\r\n`],
  `TRANSFER-ENCODING:\tCHUNKED \r\n\r\n${chunk}${noChunk}`,
];
const soundFields = [
  ...['Expect: 100-continue', 'Expect: 200-maybe', 'X: \xff\xe9', 'Transfer_Encoding: chunked', 'Content_Length: 5'],
];
const upgrades = [
  'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
  'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n',
];

/**
 * Valid but unusual requests without side effects, with additional bytes before, in or after them. The request and the
 * next request on the connection get a response, and bytes after the last request are not processed.
 */
function soundCases(target: Target, canary: string, probe: string): WireCase[] {
  const { harmless } = target;
  if (!harmless) return [];
  const call = target.call(harmless.parts);
  const places = placesOf(call, canary);
  const next = `GET ${probe} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  const own = `(${harmless.statuses.join('|')})`;
  const last = (shape: string, after = ''): WireCase => ({
    kind: 'sound',
    what: nameOf(shape),
    bytes: filled(shape, places),
    call,
    answers: new RegExp(`^${own}${after}$`),
  });
  const synced = (shape: string) => last(shape + next, ' 200');
  const sized = `Content-Length: ${places.body.length}\r\n\r\n{body}`;
  return [
    ...soundBodies.map((body) => synced(start + body)),
    ...soundFields.map((field) => synced(`${start}${field}\r\n${sized}`)),
    synced(`\r\n\r\n${start}${sized}`),
    synced(start.replace('{target}', 'http://elsewhere.example{target}') + sized),
    // The body or chunk is itself a request.
    synced(`${start}Content-Length: ${canary.length}\r\n\r\n{canary}`),
    synced(`${start}${chunked}\r\n${canary.length.toString(16)}\r\n{canary}\r\n${noChunk}`),
    ...upgrades.map((upgrade) => last(`${start}${upgrade}${sized}{canary}`)),
    last(`${start}Connection: close\r\n${sized}{canary}`),
    last(`${start.replace('1.1', '1.0')}${sized}{canary}`),
    last(`${start}${sized}rubbish\r\n\r\n{canary}`, ' 400'),
    last(`${start}${sized}${start}${chunked}${sized}{canary}`, ' 400'),
  ];
}

/**
 * Bytes that no HTTP client sends: malformed requests to each operation, and other protocols. `canary` is a request
 * with a visible effect if a program processes it. `probe` is a read that always returns 200.
 */
export function wireCases(
  targets: readonly Target[],
  { canary, probe }: { readonly canary: string; readonly probe: string },
): WireCase[] {
  const call = { method: 'GET', path: probe, headers: [], body: undefined };
  return [
    ...targets.flatMap((target) => [...brokenCases(target, canary), ...soundCases(target, canary, probe)]),
    ...otherProtocols.map(
      (bytes): WireCase => ({ kind: 'no HTTP', what: nameOf(bytes), bytes: bytes + canary, call, answers: /^400$/ }),
    ),
  ];
}
