/// <reference path="./oidc-provider.d.ts" />
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort, type TestServiceOptions, testDatabase, testService } from '@shiplog/testing';
import OidcProvider from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';

// The provider prints advice for production.
vi.hoisted(() => {
  console.warn = () => undefined;
  console.info = () => undefined;
});

const client = { id: 'shiplog', secret: 'secret-of-the-client' };

export interface Account {
  readonly email: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** A real provider on a free port. Its sign-in page asks for nothing: everyone is `account`. */
async function provider(publicUrl: string, account: Account): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oidc = new OidcProvider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [`${publicUrl}/login/callback`] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...account }) }),
  });
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return void oidc.callback()(request, response);
    void (async () => {
      const { prompt, params } = await oidc.interactionDetails(request, response);
      const grant = new oidc.Grant({ accountId: 'u-1', clientId: String(params.client_id) });
      grant.addOIDCScope(String(params.scope));
      const result =
        prompt.name === 'login' ? { login: { accountId: 'u-1' } } : { consent: { grantId: await grant.save() } };
      await oidc.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
    })();
  });
  return issuer;
}

/** A browser: it keeps cookies by origin and follows redirects. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async open(url: string, { follow = true, ...options }: RequestInit & { follow?: boolean } = {}): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Accept: 'text/html', ...(options.headers as object), ...(cookie && { Cookie: cookie }) };
    const response = await fetch(url, { ...options, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (!follow || location === null || response.status < 300 || response.status > 399) return response;
    await response.body?.cancel();
    return this.open(new URL(location, url).href);
  }

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(new URL(url).origin)?.get(name);
  }
}

export const account = { email: 'Eve@Acme.example', email_verified: true, groups: ['deployers'] };

interface SignInOptions {
  readonly config?: TestServiceOptions['config'];
  readonly person?: Account;
  readonly times?: TestServiceOptions['times'];
  readonly log?: TestServiceOptions['log'];
}

/** A service with a provider, for browsers that reach it at `publicUrl`. */
export async function providedService(publicUrl: string, { config, person = account, times, log }: SignInOptions = {}) {
  const { url: databaseUrl } = await testDatabase();
  const oidcIssuer = await provider(publicUrl, person);
  const oidc = {
    readers: 'oidc',
    publicUrl,
    oidcIssuer,
    oidcClientId: client.id,
    oidcClientSecret: client.secret,
  } as const;
  const service = {
    databaseUrl,
    config: { ...oidc, ...config },
    ...(times && { times }),
    ...(log && { log }),
  };
  const { url } = await testService(service);
  return { publicUrl, service, url, oidcIssuer };
}

/** The same behind a proxy that removes a prefix of the path. */
export async function signInService(options: SignInOptions = {}) {
  const port = await freePort();
  const provided = await providedService(`http://127.0.0.1:${port}/tools/shiplog`, options);
  const { url } = provided;
  const front = createServer();
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void front.close());
  front.on('request', (request, response) => {
    const path = (request.url ?? '').replace(/^\/tools\/shiplog/, '') || '/';
    void (async () => {
      const body = Buffer.concat(await request.toArray());
      const answer = await fetch(`${url}${path}`, {
        method: request.method ?? 'GET',
        headers: headersOf(request.headers),
        ...(body.length > 0 && { body }),
        redirect: 'manual',
      });
      response.statusCode = answer.status;
      for (const [name, value] of answer.headers)
        if (!['content-encoding', 'content-length', 'transfer-encoding', 'connection'].includes(name))
          response.appendHeader(name, value);
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  return provided;
}

function headersOf(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const { connection: _, host: __, ...others } = headers;
  return others as Record<string, string>;
}
