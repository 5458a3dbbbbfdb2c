import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { endpoints, headerNames } from '@shiplog/contract';
import type { Stage } from './stage.ts';
import { withoutPings } from './transcript.ts';

/** A part of the log that a reconnecting reader has missed. */
export interface Missed {
  /** The reader has everything up to this id. */
  readonly lastEventId: string;
  /** The length and the SHA-256 (hexadecimal) of the frames after this id. */
  readonly bytes: number;
  readonly sha256: string;
}

/** The newest events of the log. */
export async function newestEvents(stage: Stage, count: number): Promise<Missed> {
  const { rows } = await stage.sql.query<Missed>(
    `select (select id from deployments order by id desc offset $1 limit 1) as "lastEventId",
       octet_length(frames)::int as bytes, encode(sha256(convert_to(frames, 'UTF8')), 'hex') as sha256
     from (
       select string_agg(format(E'id: %s\\nevent: deployment\\ndata: %s\\n\\n', id, event), '' order by id) as frames
       from (select id, event from deployments order by id desc limit $1) newest
     ) joined`,
    [count],
  );
  const [missed] = rows;
  if (!missed) throw new Error('the log has no events');
  return missed;
}

/** The bytes of a stream before its first frame. */
const greeting = /^HTTP\/1\.1 200 .*?\r\n\r\nretry: \d+\n\n/s;

/** Resumes a stream and reads exactly the missed bytes. Returns the seconds. @throws if other bytes are sent */
export async function replay(url: string, missed: Missed): Promise<number> {
  const startedAt = performance.now();
  const { hostname, port } = new URL(url);
  const buffer = Buffer.alloc(256 * 1024);
  const hash = createHash('sha256');
  let head: string | undefined = '';
  let bytes = 0;
  const callback = (length: number) => {
    let chunk = buffer.subarray(0, length);
    if (head !== undefined) {
      head += chunk.toString('latin1');
      const [greeted] = greeting.exec(head) ?? [];
      if (greeted === undefined) return true;
      chunk = Buffer.from(head.slice(greeted.length), 'latin1');
      head = undefined;
    }
    const frames = withoutPings(chunk);
    hash.update(frames.subarray(0, missed.bytes - bytes));
    bytes += frames.length;
    if (bytes >= missed.bytes) socket.destroy();
    return true;
  };
  const socket = connect({ host: hostname, port: Number(port), onread: { buffer, callback } });
  const resumed = `${headerNames.lastEventId}: ${missed.lastEventId}`;
  socket.write(`GET ${endpoints.streamDeployments.path} HTTP/1.1\r\nHost: ${hostname}\r\n${resumed}\r\n\r\n`);
  await once(socket, 'close');
  if (hash.digest('hex') !== missed.sha256) throw new Error('a replay sent frames that differ from the log');
  return (performance.now() - startedAt) / 1000;
}
