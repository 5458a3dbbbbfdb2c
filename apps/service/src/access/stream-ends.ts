import type { Socket } from 'node:net';
import type { Stoppable } from '@shiplog/server';
import type { Credential } from './credential.ts';
import type { Readers } from './readers.ts';

interface Watched {
  readonly socket: Socket;
  readonly sender: Credential;
  readonly sinceMs: number;
  /** What the stream needs. */
  readonly right: 'read' | 'control';
}

/** Ends streams whose reader may no longer read, with a last frame (access.md 5.6, 9.25). */
export class StreamEnds implements Stoppable {
  readonly #readers: Readers;
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;

  constructor(readers: Readers, everyMs: number) {
    this.#readers = readers;
    this.#timer = setInterval(() => this.#judge(), everyMs);
  }

  /** The stream must be open: the last frame is written to the socket after its other frames. */
  watch(socket: Socket | null, sender: Credential, right: 'read' | 'control'): void {
    if (!socket || socket.destroyed) return;
    const watched = { socket, sender, sinceMs: Date.now(), right };
    this.#watched.add(watched);
    socket.once('close', () => this.#watched.delete(watched));
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  #judge(): void {
    for (const watched of this.#watched) {
      const { socket, sender, sinceMs, right } = watched;
      const reason = this.#readers.endOf(sender, sinceMs, right);
      if (!reason) continue;
      this.#watched.delete(watched);
      if (!socket.writableEnded) socket.end(`event: session-ended\ndata: ${JSON.stringify({ reason })}\n\n`);
    }
  }
}
