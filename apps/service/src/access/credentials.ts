import type { IncomingHttpHeaders } from 'node:http';
import {
  type AccessFile,
  type AccessKey,
  keyDigest,
  matchRule,
  noMay,
  parseKey,
  pinnedNames,
  sharedMay,
} from '@shiplog/access';
import { type KeyName, keyHeaders } from '@shiplog/contract';
import { type KeySettings, Keys, Problem, unauthorized } from '@shiplog/server';
import { changedPin, type Pin } from '../db/access/pins.ts';
import type { ActRecord } from './act-record.ts';
import { type Credential, isToken, type TokenCredential } from './credential.ts';
import { isPin, pinnedName } from './forbidden.ts';
import { bearerOf, isNamedKey, sent } from './headers.ts';
import type { TokenCheck } from './token-check.ts';

interface CredentialsOptions {
  readonly keys: KeySettings;
  readonly acts: ActRecord;
  readonly tokens: TokenCheck;
  /** The current version of the access file; `undefined` without one. */
  readonly file: () => AccessFile | undefined;
  /** The stored ids of names. */
  readonly idsOf: (pins: readonly Pin[]) => Promise<readonly (string | undefined)[]>;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

const sharedKey: Credential = { kind: 'shared', id: null, name: null, may: sharedMay, expires: undefined };
const sharedControlKey: Credential = { ...sharedKey, may: { ...noMay, control: true } };

/** Finds out who sends a request, from its keys and tokens (access.md 2, 9.4). */
export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #shared: Keys;
  readonly #digests = new WeakMap<AccessFile, ReadonlyMap<string, AccessKey>>();

  constructor(options: CredentialsOptions) {
    this.#options = options;
    this.#shared = new Keys(options.keys);
  }

  get hasFile(): boolean {
    return this.#options.file() !== undefined;
  }

  /**
   * The sender by `X-Api-Key` or `Authorization: Bearer`; `undefined` if neither is sent.
   * @throws Problem 401 for an invalid credential, and for two.
   */
  ofHeader(headers: IncomingHttpHeaders, use: 'read' | 'write'): Credential | undefined | Promise<TokenCredential> {
    const key = sent(headers[keyHeaders.api.toLowerCase()]);
    // Without an access file, `Authorization` on a write is ignored.
    const bearer = use === 'read' || this.hasFile ? bearerOf(headers.authorization) : undefined;
    if (key !== undefined && bearer !== undefined) throw this.#twoCredentials();
    if (key !== undefined) return this.#ofKey('api', key);
    if (bearer === undefined) return undefined;
    const isKey = use === 'read' && (isNamedKey(bearer) || this.#shared.accepts('api', bearer));
    if (isKey) return this.#ofKey('api', bearer);
    const checked = this.#options.tokens.check(bearer);
    return use === 'read' ? checked.then((token) => this.#unlessPinned(token)) : checked;
  }

  /**
   * A re-created repository doesn't inherit the right to read (access.md 3.7).
   * @throws Problem 403
   */
  async #unlessPinned(token: TokenCredential): Promise<TokenCredential> {
    const { acts, idsOf } = this.#options;
    const names = token.match.rule ? pinnedNames(token.token, token.match.rule) : [];
    if (names.length === 0) return token;
    if (names.every(isPin) && !changedPin(names, await idsOf(names))) return token;
    throw pinnedName({ acts, sender: token, asked: { read: true } });
  }

  /** The sender by `X-Control-API-Key`. @throws Problem 401 */
  ofControl(headers: IncomingHttpHeaders): Credential | undefined {
    const key = sent(headers[keyHeaders.control.toLowerCase()]);
    return key === undefined ? undefined : this.#ofKey('control', key);
  }

  /** Whether a key or token that was accepted before still has this right. */
  stillHas(credential: Credential, right: 'read' | 'control'): boolean {
    const current = this.#options.file();
    if (credential.kind === 'shared') return right === 'control' || current?.sharedKey !== false;
    if (isToken(credential)) return matchRule(credential.token, current?.rules ?? []).rule?.may[right] === true;
    const known = current?.keys.find(({ id, sha256 }) => id === credential.id && sha256 === credential.sha256);
    return known?.may[right] === true && !this.#isExpired(known);
  }

  #ofKey(name: KeyName, key: string): Credential {
    const { file, acts } = this.#options;
    const current = file();
    if (this.#shared.accepts(name, key)) {
      if (name === 'control') return sharedControlKey;
      if (current?.sharedKey !== false) return sharedKey;
      // Even if the file lists it as a named key (access.md 9.4).
      acts.refuse({ subject: null, reason: 'shared-key-off' });
      throw unauthorized(keyHeaders[name]);
    }
    const named = current && this.#named(current, key);
    if (named && !this.#isExpired(named)) {
      const { id } = named;
      acts.addOnce({ kind: 'key-first-used', subject: id, once: `key ${id}`, detail: { name: named.name } });
      const { sha256, may, expires } = named;
      return { kind: 'key', id, name: named.name, may, expires, sha256 };
    }
    if (current) acts.refuse({ subject: named?.id ?? null, reason: named ? 'expired' : reasonOf(key) });
    throw unauthorized(keyHeaders[name]);
  }

  #named(file: AccessFile, key: string): AccessKey | undefined {
    // A key with a wrong checksum is refused without a look-up.
    if (!parseKey(key)) return undefined;
    let digests = this.#digests.get(file);
    if (!digests) {
      digests = new Map(file.keys.map((each) => [each.sha256, each]));
      this.#digests.set(file, digests);
    }
    return digests.get(keyDigest(key));
  }

  #isExpired({ expires }: AccessKey): boolean {
    return expires !== undefined && this.#options.now() >= expires;
  }

  #twoCredentials(): Problem {
    this.#options.acts.refuse({ subject: null, reason: 'two-credentials' });
    return new Problem('unauthorized', {
      detail: 'The request has both X-Api-Key and Authorization: Bearer. Send one of them.',
      access: { reason: 'two-credentials' },
    });
  }
}

function reasonOf(key: string): string {
  return parseKey(key) ? 'unknown' : 'malformed';
}
