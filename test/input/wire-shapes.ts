/**
 * Requests that violate HTTP, with placeholders: `{method}`, `{target}`, `{headers}`, `{body}`, `{size}` (of the body,
 * in hexadecimal) and `{canary}`, a complete request that must not be processed. Each character up to U+00FF is one
 * byte.
 */

export const host = 'Host: shiplog\r\n';
export const start = `{method} {target} HTTP/1.1\r\n${host}{headers}`;
export const chunked = 'Transfer-Encoding: chunked\r\n';
export const chunk = '{size}\r\n{body}\r\n';
export const noChunk = '0\r\n\r\n';

export type Places = Readonly<Record<'method' | 'target' | 'headers' | 'body' | 'size' | 'canary', string>>;

export function filled(shape: string, places: Places): string {
  return shape.replace(/\{(\w+)\}/g, (_, name: keyof Places) => places[name]);
}

const lengths = [
  ...['5, 5', '5,6', '+5', '-1', '5 5', '0x5', '5.0', '1e1', '5;', '"5"', '', '\xd9\xa5', '5\0', '9'.repeat(20)],
];
const codings = `xchunked|chunkedx|identity|gzip|chunked, identity|chunked, chunked|gzip, chunked|identity, chunked
|chunked;q=1|"chunked"|chunk ed|,||chunked\0|\x0bchunked|\r\n chunked`.split(/\n?\|/);

/** Duplicate, wrong or ambiguous message lengths (RFC 9112, 6). */
const framing: readonly string[] = [
  ...lengths.map((length) => `${start}Content-Length: ${length}\r\n\r\n{body}`),
  ...[
    ...codings.map((coding) => `Transfer-Encoding: ${coding}\r\n`),
    `Content-Length: 5\r\n${chunked}`,
    `${chunked}Content-Length: 5\r\n`,
    `${chunked}${chunked}`,
    `${chunked}Transfer-Encoding: identity\r\n`,
    `Transfer-Encoding: identity\r\n${chunked}`,
    'Transfer-Encoding : chunked\r\n',
    `X: y\r\n ${chunked}`,
    `X: y\r${chunked}`,
    `X: y\n${chunked}`,
    'Content-Length: 0\r\nContent-Length: 5\r\n',
    'Content-Length: 0\r\nContent-Length: 0\r\n',
    'Content-Length : 5\r\n',
    'Content-Length:\r\n 5\r\n',
  ].map((fields) => `${start}${fields}\r\n${chunk}${noChunk}`),
  // According to the content length, the second request is inside the first.
  `${start}Content-Length: 5\r\n${chunked}\r\n${noChunk}`,
  `${start}${chunked}Connection: keep-alive\r\n\r\n${chunk}${noChunk}`.replace('1.1', '1.0'),
];

const sizes = ['xyz', '', '-1', '+2', '0x2', ' 2', '2 ', '2\t', '0_2', '2,2', 'f'.repeat(17), `1${'0'.repeat(15)}2`];
const extensions = ['\n', 'a\rb', 'a\0b', 'a="\r\n"', 'a'.repeat(20_000)];

/** Invalid chunks (RFC 9112, 7.1). */
const chunking: readonly string[] = [
  ...sizes.map((size) => `${size}\r\n{body}\r\n${noChunk}`),
  ...extensions.map((extension) => `{size};${extension}\r\n{body}\r\n${noChunk}`),
  `{size}\n{body}\r\n${noChunk}`,
  `{size}\r\n{body}${noChunk}`,
  `{size}\r\n{body}\n${noChunk}`,
  `{size}\r\n{body}x\r\n${noChunk}`,
  `${chunk}0\n\n`,
  `${chunk}0\r\nContent-Length: 5\r\n\r\n`,
  `${chunk}0\r\n${chunked}\r\n`,
  `${chunk}0\r\nbroken\r\n\r\n`,
].map((chunks) => `${start}${chunked}\r\n${chunks}`);

const versions =
  `HTTP/0.9|HTTP/1.2|HTTP/1.10|HTTP/01.1|HTTP/2.0|HTTP/3.0|http/1.1|HTTP/1.1 |HTTP/1,1|HTTP/1|HTTP 1.1|HTTPS/1.1
|ICE/1.0|X/1.1`.split(/\n?\|/);
const methods = [
  ...['{method}\0', '{method}:', '{method}\xff', '{method}x', 'A'.repeat(1000), 'CONNECT', 'BREW', 'PRI', 'get'],
];
const targets = [
  ...['{target} x', '{target}\0', '{target}\x01', '{target}\x7f', '{target}\xff', '{target}\xc3\xa9', '{target}\t'],
];
const otherTargets = ['shiplog:80', 'javascript:alert(1)', 'healthz', '\\healthz', ''];

/** Invalid request lines (RFC 9112, 3). */
const requestLines: readonly string[] = [
  '{method} {target}',
  ...versions.map((version) => `{method} {target} ${version}`),
  ...methods.map((method) => `${method} {target} HTTP/1.1`),
  ...[...targets, ...otherTargets].map((target) => `{method} ${target} HTTP/1.1`),
  '{method}\t{target}\tHTTP/1.1',
  ' {method} {target} HTTP/1.1',
  '\0{method} {target} HTTP/1.1',
  'CONNECT shiplog:80 HTTP/1.1',
].map((line) => `${line}\r\n${host}{headers}\r\n`);

const fields =
  `broken|: x| X: x|X : x|X\t: x|X(a): x|X\0: x|X\xff: x|X/a: x|X@: x|"X": x|Host: shiplog|Host: a|X: a\0b|X: a\x01b
|X: a\x0bb|X: a\x7fb|X: a\rb|X: a\nb|X: a\r\n b|X: a\r\n\tb|X: a\n`.split(/\n?\|/);
const hosts = ['a b', 'a/b', 'a@b', 'a, b', 'http://a', 'a:b', '[', '\xff', '<'];

/** Invalid header fields (RFC 9112, 5), and a missing or invalid `Host` (3.2). */
const headerFields: readonly string[] = [
  ...fields.map((field) => `${start}${field}\r\n\r\n`),
  ...hosts.map((name) => `${start}\r\n`.replace(host, `Host: ${name}\r\n`)),
  `${start}Content-Length: 1\r\n\r\n-`.replace(host, ''),
  `${start}\n`,
  `${start}\r\n`.replaceAll('\r\n', '\n'),
  `${start}\r\n`.replace('\r\n', '\n'),
];

export const brokenShapes = { framing, chunks: chunking, 'request line': requestLines, 'header fields': headerFields };

/** Other protocols, and random bytes. */
export const otherProtocols: readonly string[] = [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  ...[`\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${'\0'.repeat(500)}`, 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'],
  ...['*1\r\n$4\r\nPING\r\n', 'EHLO shiplog\r\n', 'SSH-2.0-OpenSSH_9.6\r\n', '\0\0\0\x08\x04\xd2\x16\x2f'],
  ...['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', '\0'.repeat(1000), '\xff'.repeat(1000)],
];
