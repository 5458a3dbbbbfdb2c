import type { Places } from './places.ts';
import type { Session, Sessions, Statement } from './session.ts';

/** Connections of a pool of which only some may be used at a time, so that the rest stay free for others. */
export class LimitedSessions implements Sessions {
  readonly #sessions: Sessions;
  readonly #places: Places;

  constructor(sessions: Sessions, places: Places) {
    this.#sessions = sessions;
    this.#places = places;
  }

  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return this.#placed(() => this.#sessions.query(statement, values));
  }

  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#placed(() => this.#sessions.session(work));
  }

  async #placed<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.#places.take();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
