import { createPrivateKey, sign } from 'node:crypto';
import { Type } from 'typebox';
import { Instant, reader } from '../../tool/shape.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';

export interface AppCredentials {
  readonly appId: string;
  readonly installationId: string;
  readonly privateKey: string;
}

const jwtSeconds = 9 * 60;
/** GitHub rejects signatures from the future. */
const signedEarlierSeconds = 60;
const renewedEarlyMs = 5 * 60_000;

/** An installation token, which GitHub issues for a signed request and which lives an hour (fetcher §14). */
export class AppToken {
  readonly #http: ToolHttp;
  readonly #path: string;
  #current: { readonly token: string; readonly expiresMs: number } | undefined;

  /** @param http sends requests with the App's JWT */
  constructor(http: ToolHttp, { installationId }: AppCredentials) {
    this.#http = http;
    this.#path = `/app/installations/${installationId}/access_tokens`;
  }

  async current(signal: AbortSignal): Promise<string> {
    if (!this.#current || this.#http.now() >= this.#current.expiresMs - renewedEarlyMs) {
      this.#current = await this.#http.post(this.#path, {}, signal, pickToken);
    }
    return this.#current.token;
  }

  forget(): void {
    this.#current = undefined;
  }
}

export function appJwt({ appId, privateKey }: AppCredentials, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1000) - signedEarlierSeconds;
  const claims = { iat: issuedAt, exp: issuedAt + jwtSeconds, iss: appId };
  const content = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded).join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
}

export function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const readToken = reader('installation token', Type.Object({ token: Type.String(), expires_at: Instant }));

function pickToken(body: unknown): { readonly token: string; readonly expiresMs: number } {
  const { token, expires_at } = readToken(body);
  return { token, expiresMs: Date.parse(expires_at) };
}
