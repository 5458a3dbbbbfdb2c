import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** A connection that can do what a start needs: run one statement after the other and count rows. */
export interface Session {
  /** Runs a statement and gives its number of rows. Throws the server's refusal. */
  rowsOf(statement: string): Promise<number>;
  close(): void;
}

interface Frame {
  kind: string;
  body: Buffer;
}

const protocolVersion = 196_608;

/**
 * Connects to a server that trusts its socket. Throws the server's refusal, or the system error when nobody listens.
 *
 * This is the smallest part of the PostgreSQL protocol that proves that a server takes work, and that creates a
 * database. A client library would be a second copy of the one that the service brings, for two statements; asking
 * a server in single-user mode costs a second start of the server.
 */
export async function openSession(
  path: string,
  { user, database, withinMs }: { user: string; database: string; withinMs: number },
): Promise<Session> {
  const socket = createConnection({ path });
  socket.setTimeout(withinMs, () => socket.destroy(new Error('no answer in time')));
  try {
    await once(socket, 'connect');
    const frames = framesOf(socket);
    socket.write(startup({ user, database, application_name: 'shiplog supervisor' }));
    await rowsUntilReady(frames);
    return {
      rowsOf: (statement) => {
        socket.write(frame('Q', cString(statement)));
        return rowsUntilReady(frames);
      },
      close: () => socket.destroy(),
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function rowsUntilReady(frames: AsyncGenerator<Frame>): Promise<number> {
  let rows = 0;
  let refusal: Error | undefined;
  // Not for-await: leaving that loop would end the generator, and with it the connection.
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
    const { kind, body } = next.value;
    if (kind === 'D') rows += 1;
    if (kind === 'E') refusal = parseRefusal(body);
    if (kind === 'R' && body.readInt32BE(0) !== 0) throw new Error('the server asks for a password');
    if (kind === 'Z' && refusal === undefined) return rows;
    if (kind === 'Z') break;
  }
  throw refusal ?? new Error('the server broke off the connection');
}

async function* framesOf(socket: Socket): AsyncGenerator<Frame> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 5 && pending.length > pending.readInt32BE(1)) {
      const end = 1 + pending.readInt32BE(1);
      yield { kind: pending.toString('latin1', 0, 1), body: pending.subarray(5, end) };
      pending = pending.subarray(end);
    }
  }
}

/** Each field is a letter and a text; M is the message. */
function parseRefusal(body: Buffer): Error {
  const message = body
    .toString('utf8')
    .split('\0')
    .find((field) => field.startsWith('M'));
  return new Error(message?.slice(1) ?? 'the server refused without a reason');
}

function startup(parameters: Record<string, string>): Buffer {
  const version = Buffer.alloc(4);
  version.writeInt32BE(protocolVersion);
  const pairs = Object.entries(parameters).flat().map(cString);
  return frame('', Buffer.concat([version, ...pairs, Buffer.from([0])]));
}

function frame(kind: string, body: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(kind, 'latin1'), size, body]);
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf8');
}
