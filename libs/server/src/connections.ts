import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

interface ConnectionLimits {
  /** How many requests a client may send on a connection before the first of them is answered. */
  readonly requestsAhead: number;
  /** The maximum number of open connections. */
  readonly connections: number;
  /**
   * How long open connections still accept requests after the program starts to stop; each connection ends with its
   * next answer. Without this time, a proxy with persistent connections would lose requests that it sends while they
   * are being closed. New connections are refused immediately, so that a proxy sends their requests elsewhere.
   */
  readonly drainMs: number;
}

/** Half of the time for a shutdown (`process.ts`); the other half is for posts in progress and the database. */
const closeGraceMs = 5000;
/** The time limit for reading a request on a fresh connection. */
const readGraceMs = 100;
/** An idle turn of the event loop takes only a fraction of this time. */
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

/** An untyped member of Node's connections: while it is set, Node doesn't read from the connection. */
type HttpSocket = Socket & { _paused?: boolean };

interface Waiting {
  count: number;
  newest: ServerResponse;
}

/**
 * A pipelined request waits until the previous answer is sent. Node would handle all of them at once, so one packet of
 * requests from a client that reads nothing could become gigabytes of answers in memory. Requests beyond the limit are
 * not handled: after the last answer within the limit, the connection is closed.
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

/** Stops reading as Node does when answers aren't read. Node resumes at the next answer, so this is repeated then. */
function stopReading(connection: HttpSocket): void {
  connection._paused = true;
  connection.pause();
}

/**
 * When the program stops, a connection ends with the answer in progress, or with its next answer while it drains. A
 * connection that has not ended after the grace period is cut. A connection without any request, as browsers open in
 * advance, ends after draining; Node counts it as busy.
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
 * Runs the work once everything that has arrived is read: connections that the system has accepted but the program has
 * not read are lost on close. A turn of the event loop accepts one connection, so a turn that accepted one, or took
 * long, may have left more. If the machine is never quiet, the work runs after a time limit.
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

/** File descriptors for the database, files and the process itself. */
const ownDescriptors = 200;
/** The minimum number of connections, even with few descriptors. */
const connectionsMin = 16;

/** How many connections this process can accept, at most `max`, with a warning if there are fewer. */
export function descriptorRoom(max: number, descriptors: number = openFilesMax()) {
  const connections = Math.max(Math.min(max, descriptors - ownDescriptors), connectionsMin);
  const warning = `this process may open ${descriptors} files, enough for ${connections} connections instead of ${max}; raise the limit to ${max + ownDescriptors} (ulimit -n, or LimitNOFILE of systemd)`;
  return { connections, warning: connections === max ? undefined : warning };
}

/** The limit, raised by Node as far as allowed; unknown without /proc. */
function openFilesMax(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === 'unlimited' || limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
