import { createPrivateKey, sign } from 'node:crypto';
import { Type } from 'typebox';
import type { Context } from '../../adapter.ts';
import { Instant, reader } from '../../tool/shape.ts';
import type { Rate, Tool, ToolHttp } from '../../tool/tool-http.ts';

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

export function openCalls(context: Pick<Context, 'http' | 'token'>, app: AppCredentials | undefined) {
  const { token } = context;
  if (!app || token !== undefined) {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const tool = githubTool(async () => ({ ...headers, ...authorization }), token !== undefined);
    return { http: context.http(tool), renewToken: () => undefined };
  }
  const own: ToolHttp = context.http({
    headers: async () => ({ ...headers, authorization: `Bearer ${appJwt(app, own.now())}` }),
    rateOf: () => undefined,
    // Requests by an App itself don't count against its installation's quota.
    isCharged: () => false,
  });
  const appToken = new AppToken(own, app);
  const tool = githubTool(
    async (signal) => ({ ...headers, authorization: `Bearer ${await appToken.current(signal)}` }),
    true,
  );
  return { http: context.http(tool), renewToken: () => appToken.forget() };
}

function githubTool(headersOf: Tool['headers'], hasToken: boolean): Tool {
  return {
    headers: headersOf,
    rateOf,
    isLimit: (text) => /secondary rate limit/i.test(text),
    isCharged: (status, path) => path !== '/rate_limit' && !(status === 304 && hasToken),
  };
}

function rateOf(answered: Headers): Rate | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    wholeNumber(answered.get(`x-ratelimit-${name}`)),
  );
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetMs: reset * 1000 };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

export interface AppCredentials {
  readonly appId: string;
  readonly installationId: string;
  readonly privateKey: string;
}

const jwtSeconds = 9 * 60;
/** GitHub rejects signatures from the future. */
const signedEarlierSeconds = 60;
const renewedEarlyMs = 5 * 60_000;

/** An installation token, which GitHub issues for a signed request and which is valid for an hour (fetcher §14). */
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
