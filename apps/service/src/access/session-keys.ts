import { hkdfSync, randomUUID } from 'node:crypto';
import type { Stoppable } from '@shiplog/server';
import { pause } from '@shiplog/streams';
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose';
import type { Logger } from 'pino';
import { endSession, readSessions, type SessionState } from '../db/access/sessions.ts';
import type { Sessions } from '../db/database.ts';

interface SessionKeysOptions {
  readonly writes: Sessions;
  /** A secret from the settings, so that a copy of the database can't forge a session. */
  readonly secret: string;
  readonly sessionHours: number;
  /** How often keys and ended sessions are read. */
  readonly pollMs: number;
  readonly logger: Logger;
}

/** The content of a sealed text, and the key that sealed it. */
export interface Opened {
  readonly content: JWTPayload;
  readonly key: string;
}

/** What a sealed text is for; it is accepted for nothing else. */
export type SealedFor = 'session' | 'sign-in';

/**
 * Seals and opens the cookies of readers (access.md 9.23). The keys are in the database, the same for all instances;
 * while it is unreachable, the last known keys and ended sessions stay in use.
 */
export class SessionKeys implements Stoppable {
  readonly #options: SessionKeysOptions;
  readonly #stopping = new AbortController();
  #keys = new Map<string, Uint8Array>();
  #newest = '';
  /** The ids of ended sessions, with the time at which their cookies end, in milliseconds since 1970. */
  #ended = new Map<string, number>();
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #polling: Promise<void> | undefined;

  constructor(options: SessionKeysOptions) {
    this.#options = options;
  }

  /** Reads the keys for the first time. */
  async open(): Promise<void> {
    await this.#read();
  }

  start(): void {
    this.#polling = this.#repeat();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#polling;
  }

  /** An encrypted text that expires. */
  seal(purpose: SealedFor, content: JWTPayload, endsMs: number): Promise<string> {
    const key = this.#keys.get(this.#newest);
    if (!key) throw new Error('there is no session key');
    return new EncryptJWT(content)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: this.#newest })
      .setAudience(purpose)
      .setExpirationTime(Math.ceil(endsMs / 1000))
      .encrypt(key);
  }

  /** The content of a sealed text; `undefined` for anything else, including an expired one. */
  async opened(purpose: SealedFor, text: string): Promise<Opened | undefined> {
    try {
      const { payload, protectedHeader } = await jwtDecrypt(text, ({ kid }) => this.#keyOf(kid), {
        audience: purpose,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return { content: payload, key: protectedHeader.kid ?? '' };
    } catch {
      return undefined;
    }
  }

  isEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  /** Whether a session that was opened before still has its key. */
  hasKey(key: string): boolean {
    return this.#keys.has(key);
  }

  /**
   * Ends a session: here immediately, and on other instances at their next read.
   * @throws an error of the database if other instances can't learn of it.
   */
  async end(id: string, untilMs: number): Promise<void> {
    this.#ended.set(id, untilMs);
    await endSession(this.#options.writes, id, untilMs);
  }

  static newId(): string {
    return randomUUID();
  }

  /** Another instance may just have made the key. */
  async #keyOf(kid: string | undefined): Promise<Uint8Array> {
    const id = kid ?? '';
    if (!this.#keys.has(id) && isKeyId.test(id)) await this.#readAgain();
    const key = this.#keys.get(id);
    if (!key) throw new Error('the key is unknown');
    return key;
  }

  /** Unknown keys cost at most one read per second. */
  async #readAgain(): Promise<void> {
    if (performance.now() - this.#readAt > 1000) await this.#read().catch(() => undefined);
  }

  #read(): Promise<void> {
    this.#reading ??= readSessions(this.#options.writes, this.#options.sessionHours)
      .then((state) => this.#take(state))
      .finally(() => {
        this.#readAt = performance.now();
        this.#reading = undefined;
      });
    return this.#reading;
  }

  #take({ keys, ended }: SessionState): void {
    const { secret } = this.#options;
    this.#keys = new Map(
      keys.map((key) => [key.id, new Uint8Array(hkdfSync('sha256', key.secret, secret, 'shiplog reader session', 32))]),
    );
    this.#newest = keys[0]?.id ?? '';
    for (const { id, untilMs } of ended) this.#ended.set(id, untilMs);
    const now = Date.now();
    for (const [id, untilMs] of this.#ended) if (untilMs < now) this.#ended.delete(id);
  }

  async #repeat(): Promise<void> {
    const { pollMs, logger } = this.#options;
    const { signal } = this.#stopping;
    for (await pause(pollMs, signal); !signal.aborted; await pause(pollMs, signal)) {
      await this.#read().catch((error) => logger.debug({ err: error }, 'the sessions could not be read; retrying'));
    }
  }
}

const isKeyId = /^[0-9a-f-]{36}$/;
