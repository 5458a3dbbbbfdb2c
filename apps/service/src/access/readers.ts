import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type AccessFile, noMay } from '@shiplog/access';
import { type Endpoint, endpoints, headerNames, keyHeaders } from '@shiplog/contract';
import { networkCheck, Problem } from '@shiplog/server';
import type { FastifyRequest } from 'fastify';
import type { ServiceConfig } from '../config.ts';
import type { ActRecord } from './act-record.ts';
import { type Cookies, cookiesOf } from './cookies.ts';
import { type Credential, isToken } from './credential.ts';
import type { Credentials } from './credentials.ts';
import { forbidden } from './forbidden.ts';
import { sent } from './headers.ts';
import type { SessionKeys } from './session-keys.ts';

interface ReadersOptions {
  readonly config: Pick<ServiceConfig, 'readers' | 'readerHeader' | 'readerProxies' | 'publicUrl' | 'badges'>;
  readonly credentials: Credentials;
  readonly sessions: SessionKeys | undefined;
  readonly acts: ActRecord;
  readonly file: () => AccessFile | undefined;
  readonly now: () => number;
  /** How long a stream may stay open before it ends, so that its proxy authenticates its reader again. */
  readonly proxyStreamMs: number;
}

export interface ReaderSession {
  readonly id: string;
  readonly endsMs: number;
  /** The key in the database that sealed it. */
  readonly sealedWith: string;
  /** The id of a wall display's named key. */
  readonly key: string | undefined;
  /** The digest of that key. */
  readonly sha256: string | undefined;
}

/** A person, or a wall display with the session of a key. */
export interface ReaderCredential extends Credential {
  /** The session; absent for a proxy's header. */
  readonly session?: ReaderSession;
}

const readOnly = { ...noMay, read: true };
const headerValue = /^[^\p{C}\p{Zl}\p{Zp}]{1,256}$/u;

/** Why a stream ends before its reader does (access.md 9.25). */
export type StreamEnd = 'expired' | 'signed-out' | 'key';

/** Checks reads where `READERS` is not `open` (access.md 5). */
export class Readers {
  readonly #options: ReadersOptions;
  readonly #isProxy: (address: string | undefined) => boolean;
  readonly cookies: Cookies | undefined;

  constructor(options: ReadersOptions) {
    this.#options = options;
    const { readerProxies, publicUrl } = options.config;
    this.#isProxy = networkCheck(readerProxies ?? []);
    this.cookies = publicUrl === undefined ? undefined : cookiesOf(publicUrl);
  }

  get isOpen(): boolean {
    return this.#options.config.readers === 'open';
  }

  get publicUrl(): string | undefined {
    return this.#options.config.publicUrl;
  }

  /** Whether people sign in. */
  get hasPersons(): boolean {
    return this.#options.config.readers === 'oidc';
  }

  /** Whether an endpoint without a key is guarded. */
  isGuarded({ open, path }: Endpoint): boolean {
    if (this.isOpen || open) return false;
    return path !== endpoints.getBadge.path || this.#options.config.badges !== 'open';
  }

  /**
   * Who reads: by key or token, else by a proxy's header or a session.
   * @throws Problem 401 for a bad key or token, even with a valid session.
   */
  async senderOf(request: FastifyRequest): Promise<Credential | undefined> {
    const { headers } = request.raw;
    const sender = await this.#options.credentials.ofHeader(headers, 'read');
    return sender ?? this.#ofProxy(request.raw) ?? (await this.ofSession(request));
  }

  /** 401 or 403 for a reader who may not read; the sender otherwise. */
  async judge(request: FastifyRequest): Promise<Credential | Problem> {
    const sender = await this.senderOf(request);
    if (!sender) return signInNeeded();
    return sender.may.read ? sender : this.refused(sender, request);
  }

  refused(sender: Credential, { raw }: FastifyRequest, detail?: string): Problem {
    const header =
      sent(raw.headers[keyHeaders.api.toLowerCase()]) === undefined ? headerNames.authorization : keyHeaders.api;
    const reason = isToken(sender) && !sender.match.rule ? 'no-rule' : 'scope';
    return forbidden({
      acts: this.#options.acts,
      sender,
      asked: { read: true },
      outside: [{ pointer: `/${header}` }],
      reason,
      ...(detail && { detail }),
    });
  }

  /** Why a stream of this reader must end; `undefined` while it may continue. */
  endOf(sender: Credential, sinceMs: number, right: 'read' | 'control'): StreamEnd | undefined {
    const { now, proxyStreamMs } = this.#options;
    const { session } = sender as ReaderCredential;
    if (sender.expires !== undefined && now() >= sender.expires) return 'expired';
    if (session) return this.#endOfSession(session);
    if (sender.kind === 'reader') return now() - sinceMs >= proxyStreamMs ? 'expired' : undefined;
    return this.#options.credentials.stillHas(sender, right) ? undefined : 'key';
  }

  async ofSession(request: FastifyRequest): Promise<ReaderCredential | undefined> {
    const cookie = this.cookies && request.cookies[this.cookies.session];
    const opened = cookie ? await this.#options.sessions?.opened('session', cookie) : undefined;
    if (!opened) return undefined;
    const { jti: id = '', sub = '', exp = 0, name, key, sha256 } = opened.content;
    const expires = exp * 1000;
    const session = {
      id,
      endsMs: expires,
      sealedWith: opened.key,
      key: typeof key === 'string' ? key : undefined,
      sha256: typeof sha256 === 'string' ? sha256 : undefined,
    };
    if (this.#endOfSession(session)) return undefined;
    return { kind: 'reader', id: sub, name: typeof name === 'string' ? name : sub, may: readOnly, expires, session };
  }

  #endOfSession({ id, sealedWith, key, sha256 }: ReaderSession): StreamEnd | undefined {
    const { sessions } = this.#options;
    if (sessions?.isEnded(id)) return 'signed-out';
    if (!sessions?.hasKey(sealedWith)) return 'key';
    if (key === undefined) return undefined;
    const named = this.#options.file()?.keys.find((each) => each.id === key && each.sha256 === sha256);
    if (!named?.may.read) return 'key';
    return named.expires !== undefined && this.#options.now() >= named.expires ? 'expired' : undefined;
  }

  #ofProxy({ headersDistinct, socket }: IncomingMessage): ReaderCredential | undefined {
    const { readers, readerHeader = '' } = this.#options.config;
    if (readers !== 'proxy' || !this.#isProxy(socket.remoteAddress)) return undefined;
    const [sentValue, ...more] = headersDistinct[readerHeader] ?? [];
    if (sentValue === undefined || more.length > 0) return undefined;
    const value = utf8(sentValue);
    if (value === undefined || !headerValue.test(value)) return undefined;
    return { kind: 'reader', id: value, name: value, may: readOnly, expires: undefined };
  }
}

/** A header's text, which Node reads as Latin-1; `undefined` if it isn't UTF-8. */
function utf8(header: string): string | undefined {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** The 401 for a guarded read. */
export function signInNeeded(): Problem {
  return new Problem('unauthorized', {
    detail: `Sign in, or send a key that may read in ${keyHeaders.api} or as Authorization: Bearer.`,
    headers: { [headerNames.wwwAuthenticate]: `Bearer, ApiKey header="${keyHeaders.api}"` },
  });
}
