import type { HttpAnswer } from '../../apps/service/test/support/http-client.ts';
import { RawClient } from '../../apps/service/test/support/raw-client.ts';
import { inTime } from './in-time.ts';
import type { WireCase } from './wire-cases.ts';

/**
 * Sends the bytes of a case on a connection of their own, and gives what came back until the other side closed it.
 * Rejects when it does not close it in time, or when what came back is no HTTP.
 */
export async function wireAnswers(url: string, { bytes, ends }: WireCase): Promise<HttpAnswer[]> {
  const client = await RawClient.connect(url);
  client.send(bytes);
  if (ends) client.socket.end();
  await inTime(client.closed(), () => `still open after ${JSON.stringify(client.text.slice(0, 200))}`).finally(() =>
    client.close(),
  );
  return parsed(client.text);
}

/** Takes a connection's bytes apart, Latin-1; interim answers (1xx) are left out. */
function parsed(text: string): HttpAnswer[] {
  if (text === '') return [];
  const headEnd = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
  if (headEnd < 0 || Number.isNaN(status)) throw new Error(`no answer is ${JSON.stringify(text.slice(0, 200))}`);
  const headers = Object.fromEntries(
    lines.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  const rest = text.slice(headEnd + 4);
  const length = status < 200 || status === 304 ? 0 : bodyLength(headers, rest);
  if (rest.length < length) throw new Error(`an answer is cut off: ${JSON.stringify(text.slice(0, 200))}`);
  const answer = { status, headers, text: Buffer.from(rest.slice(0, length), 'latin1').toString() };
  return [...(status < 200 ? [] : [answer]), ...parsed(rest.slice(length))];
}

/** Without a length the end of the connection ends the body. */
function bodyLength(headers: Readonly<Record<string, string>>, rest: string): number {
  if (headers['transfer-encoding'] === 'chunked') return rest.indexOf('0\r\n\r\n') + 5;
  return Number(headers['content-length'] ?? rest.length);
}
