import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

interface ConnectionLimits {
  /** The maximum number of pipelined requests on a connection. */
  readonly requestsAhead: number;
  /** The maximum number of open connections. */
  readonly connections: number;
  /**
   * How long open connections still accept requests after shutdown begins. Each connection closes after its next
   * response. Without this time, a proxy with persistent connections would lose requests that it sends while they are
   * being closed. New connections are refused immediately, so that a proxy sends their requests elsewhere.
   */
  readonly drainMs: number;
}

/** Half of the time for a shutdown (`process.ts`); the other half is for posts in progress and the database. */
const closeGraceMs = 5000;
/** The time limit for reading a request on a fresh connection. */
const readGraceMs = 100;
/** An idle turn of the event loop takes much less than this. */
const quietTurnMs = 0.2;
const quietWithinMs = 2000;
const dropWarningMs = 60_000;

export const connections = plugin(async (app: FastifyInstance, limits: ConnectionLimits) => {
  limitConnections(app, limits.connections);
  answerInTurn(app, limits.requestsAhead);
  endConnectionsOnClose(app, limits.drainMs);
});

/** Closes connections beyond the limit, and warns at most once a minute. */
function limitConnections({ server, log }: FastifyInstance, connectionsMax: number): void {
  let warnAt = 0;
  server.maxConnections = connectionsMax;
  server.on('drop', () => {
    if (performance.now() < warnAt) return;
    warnAt = performance.now() + dropWarningMs;
    log.warn(`${server.maxConnections} connections are open, the maximum; further ones are closed at once`);
  });
}

/** An internal property of Node's connections. While it is set, Node doesn't read from the connection. */
type HttpSocket = Socket & { _paused?: boolean };

interface Waiting {
  count: number;
  newest: ServerResponse;
}

/**
 * A pipelined request waits until the previous response is sent. Node would handle all of them at once, so a client
 * that sends one packet of requests and reads nothing could cause gigabytes of responses in memory. Requests beyond the
 * limit are not handled: after the last response within the limit, the connection is closed.
 */
function answerInTurn(app: FastifyInstance, requestsAheadMax: number): void {
  const waiting = new WeakMap<Socket, Waiting>();
  app.addHook('onRequest', ({ socket: connection }, { raw: response }, done) => {
    if (response.socket && connection.writable) return done();
    const ahead = waiting.get(connection) ?? { count: 0, newest: response };
    if (ahead.count === requestsAheadMax) {
      ahead.newest.shouldKeepAlive = false;
      stopReading(connection);
      return;
    }
    ahead.count += 1;
    ahead.newest = response;
    waiting.set(connection, ahead);
    // The event is not emitted if the connection has closed.
    response.once('socket', () => {
      ahead.count -= 1;
      done();
    });
  });
}

/**
 * Stops reading, as Node does when the client doesn't read its responses. Node resumes reading after the next response,
 * so this must be called again then.
 */
function stopReading(connection: HttpSocket): void {
  connection._paused = true;
  connection.pause();
}

/**
 * When the program stops, a connection closes after the response in progress, or after its next response while
 * draining. Connections still open after the grace period are cut. Connections without any request, which browsers open
 * in advance, close after draining; Node counts them as busy.
 */
function endConnectionsOnClose(app: FastifyInstance, drainMs: number): void {
  const open = new Set<Socket>();
  let drained: (() => void) | undefined;
  app.server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => {
      open.delete(connection);
      if (open.size === 0) drained?.();
    });
  });
  app.addHook('preClose', (done) => {
    app.server.keepAliveTimeout = 1;
    setTimeout(() => app.server.closeAllConnections(), closeGraceMs).unref();
    inQuietMoment(app.server, () => {
      // The `close` of an HTTP server would also cut connections that wait for a request.
      if (app.server.listening) Server.prototype.close.call(app.server);
      const close = () => {
        clearTimeout(timer);
        drained = undefined;
        // A request may have arrived but not been read yet.
        setTimeout(() => {
          for (const connection of open) if (connection.bytesRead === 0) connection.destroy();
        }, readGraceMs).unref();
        inQuietMoment(app.server, done);
      };
      const timer = setTimeout(close, drainMs);
      drained = close;
      if (drainMs === 0 || open.size === 0) close();
    });
  });
}

/**
 * Runs the work once all pending connections are accepted, because connections that only the system has accepted are
 * lost on close. The event loop accepts one connection per turn, so after a turn that accepted one or took long, more
 * may be pending. If connections keep arriving, the work runs after a time limit.
 */
function inQuietMoment(server: Server, work: () => void): void {
  const latest = performance.now() + quietWithinMs;
  let isBusy = true;
  let turnedAt = 0;
  const onConnection = () => {
    isBusy = true;
  };
  const check = () => {
    const now = performance.now();
    if (now < latest && (isBusy || now - turnedAt > quietTurnMs)) {
      isBusy = false;
      turnedAt = now;
      setImmediate(check);
      return;
    }
    server.off('connection', onConnection);
    work();
  };
  server.on('connection', onConnection);
  setImmediate(check);
}

/** File descriptors reserved for the database, files and the process itself. */
const ownDescriptors = 200;
/** The minimum number of connections, even if few descriptors are available. */
const connectionsMin = 16;

/** The number of connections that this process can accept, at most `max`. Logs a warning if it is less than `max`. */
export function descriptorRoom(max: number, descriptors: number = openFilesMax()) {
  const connections = Math.max(Math.min(max, descriptors - ownDescriptors), connectionsMin);
  const warning = `this process may open ${descriptors} files, enough for ${connections} connections instead of ${max}; raise the limit to ${max + ownDescriptors} (ulimit -n, or LimitNOFILE of systemd)`;
  return { connections, warning: connections === max ? undefined : warning };
}

/** The descriptor limit, which Node raises as far as allowed. Unknown without /proc. */
function openFilesMax(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === 'unlimited' || limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
