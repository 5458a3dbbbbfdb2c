import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import plugin from 'fastify-plugin';

export interface ConnectionLimits {
  /** How many requests a client may send on a connection before the first of them is answered. */
  readonly requestsAhead: number;
  /** How many connections are open at most. */
  readonly connections: number;
}

/** Of the 10 s that a shutdown may take (`process.ts`); the rest is for what waits and for the database. */
const closeGraceMs = 5000;
/** How long a request on a fresh connection may take to be read. */
const readGraceMs = 100;
const refusedConnectionsToldMs = 60_000;

/** How many connections there are, in which order their requests are answered, and how they end. */
export const connections = plugin(async (app: FastifyInstance, limits: ConnectionLimits) => {
  limitConnections(app, limits.connections);
  answerInTurn(app, limits.requestsAhead);
  endConnectionsOnClose(app);
});

/** Connections beyond the limit are closed unheard, which the log tells at most once a minute. */
function limitConnections({ server, log }: FastifyInstance, connectionsMax: number): void {
  let tellAt = 0;
  server.maxConnections = connectionsMax;
  server.on('drop', () => {
    if (performance.now() < tellAt) return;
    tellAt = performance.now() + refusedConnectionsToldMs;
    log.warn(`${server.maxConnections} connections are open, which is all that are taken; others are closed at once`);
  });
}

/**
 * A request that was sent ahead waits until its connection has room for its answer: Node would have all of them answered
 * at once, and one packet of requests from a client that reads nothing would be held as gigabytes of answers. What comes
 * after an answer that closes the connection is not taken at all.
 */
function answerInTurn(app: FastifyInstance, requestsAheadMax: number): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ socket: connection }, { raw: response }, done) => {
    if (response.socket && connection.writable) return done();
    const ahead = (waiting.get(connection) ?? 0) + 1;
    waiting.set(connection, ahead);
    if (ahead > requestsAheadMax) connection.destroy();
    // Not emitted once the connection is gone: nobody waits for what was asked on it.
    response.once('socket', () => {
      waiting.set(connection, (waiting.get(connection) ?? 1) - 1);
      done();
    });
  });
}

/**
 * Once the program stops, a connection ends with the answer that is under way on it, and what has not ended when the
 * grace is over is cut: a request that never comes to its end, a reader that takes nothing. A connection on which
 * nothing was ever asked, as browsers open them ahead, counts as busy to Node; it ends at once.
 */
function endConnectionsOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  });
  app.addHook('preClose', (done) => {
    app.server.keepAliveTimeout = 1;
    // A request may have arrived and not been read yet.
    setTimeout(() => {
      for (const connection of open) if (connection.bytesRead === 0) connection.destroy();
    }, readGraceMs).unref();
    setTimeout(() => app.server.closeAllConnections(), closeGraceMs).unref();
    done();
  });
}
