import { answeredStatus, type Client, type Fetch } from '@shiplog/client';
import type { AccessSelf } from '@shiplog/contract';

/** The last frame of a stream whose reader's session has ended (access.md 9.25). */
export const sessionEnded = 'session-ended';

/** Whether a response asks for a sign-in: the service with a 401, a proxy before it with a redirect. */
export function asksForSignIn({ status, type }: { readonly status: number; readonly type?: string }): boolean {
  return status === 401 || type === 'opaqueredirect';
}

/** `fetch`, which reports each response that asks for a sign-in. */
export function watchedFetch(onAnswer: (answer: Response) => void): Fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    onAnswer(answer);
    return answer;
  };
}

/**
 * Who reads. A page never continues as another reader: in doubt, it continues only if the same reader may still read
 * (access.md 5.6).
 */
export class Reader {
  readonly #client: Pick<Client, 'getAccessSelf'>;
  #known: AccessSelf | undefined;
  #learning: Promise<AccessSelf | undefined> | undefined;

  constructor(client: Pick<Client, 'getAccessSelf'>) {
    this.#client = client;
  }

  get known(): AccessSelf | undefined {
    return this.#known;
  }

  /** Asks once who the reader is. */
  learn(): Promise<AccessSelf | undefined> {
    this.#learning ??= this.#ask().then(
      (self) => {
        this.#known = self;
        return self;
      },
      () => {
        this.#learning = undefined;
        return undefined;
      },
    );
    return this.#learning;
  }

  /** Whether the reader's session has ended. A service that doesn't answer says nothing about it. */
  async hasEnded(): Promise<boolean> {
    try {
      const { kind, id } = await this.#ask();
      return this.#known !== undefined && (kind !== this.#known.kind || id !== this.#known.id);
    } catch (error) {
      const status = answeredStatus(error);
      return status === 401 || status === 0;
    }
  }

  async #ask(): Promise<AccessSelf> {
    return (await this.#client.getAccessSelf()).body;
  }
}
