import { type Issuer, verifyToken } from '@shiplog/access';
import { Problem, unavailable } from '@shiplog/server';
import * as client from 'openid-client';
import type { Logger } from 'pino';
import type { ServiceConfig } from '../config.ts';
import type { IssuerTimes } from '../times.ts';
import { answerBytesMax, IssuerKeys } from './issuer-keys.ts';

type ProviderConfig = Pick<
  ServiceConfig,
  'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcScopes' | 'oidcAllow' | 'oidcGroupsClaim' | 'publicUrl'
>;

/** A person as the identity provider names them. */
export interface Person {
  readonly sub: string;
  /** The verified e-mail address; `undefined` if there is none. */
  readonly email: string | undefined;
  readonly groups: readonly string[];
}

export interface SignInChecks {
  readonly nonce: string;
  readonly verifier: string;
  /** The `state` as sent to the provider. */
  readonly state: string;
}

interface ProviderOptions {
  readonly config: ProviderConfig;
  readonly times: IssuerTimes;
  readonly logger: Logger;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/** `verifyToken` has the exact tolerance; the client's own check must not be stricter. */
const toleranceSeconds = 61;
const answerSeconds = 5;
/** The longest `sub` that OpenID Connect allows; it must fit into a cookie. */
const subjectMax = 255;

/** The OpenID Connect provider of readers (access.md 5.4, 9.22). */
export class Provider {
  readonly #options: ProviderOptions;
  readonly #issuer: Issuer;
  readonly #keys: IssuerKeys;
  #known: Promise<client.Configuration> | undefined;

  constructor(options: ProviderOptions) {
    const { config, times, logger } = options;
    this.#options = options;
    this.#issuer = {
      name: 'OIDC_ISSUER',
      kind: 'generic',
      url: config.oidcIssuer ?? '',
      audience: config.oidcClientId ?? '',
      serverUrl: undefined,
      jwksFile: undefined,
      caFile: undefined,
    };
    this.#keys = new IssuerKeys({ issuer: this.#issuer, times, logger });
  }

  static newChecks() {
    return { nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
  }

  /** Logs why the provider can't be used now. Sign-ins try again. */
  async check(): Promise<void> {
    await this.#provider().catch(() => undefined);
  }

  /** Where a browser signs in. @throws Problem 503 while the provider can't be reached. */
  async signInUrl({ nonce, verifier, state }: SignInChecks): Promise<URL> {
    const { oidcScopes, publicUrl } = this.#options.config;
    return client.buildAuthorizationUrl(await this.#provider(), {
      redirect_uri: `${publicUrl}/login/callback`,
      scope: oidcScopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      nonce,
      state,
    });
  }

  /**
   * The person who signed in.
   * @param search the query of the provider's redirect.
   * @throws Problem 503 while the provider can't be reached, another error if its response isn't valid.
   */
  async person(search: string, { nonce, verifier, state }: SignInChecks): Promise<Person> {
    const provider = await this.#provider();
    const tokens = await client.authorizationCodeGrant(
      provider,
      new URL(`${this.#options.config.publicUrl}/login/callback${search}`),
      { expectedNonce: nonce, pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true },
    );
    const claims = tokens.claims();
    if (!claims || claims.sub.length > subjectMax || !isName.test(claims.sub))
      throw new Error('the ID token has no valid sub');
    await this.#verify(tokens.id_token ?? '');
    const { oidcGroupsClaim, oidcAllow } = this.#options.config;
    const needsGroups = claims[oidcGroupsClaim] === undefined && oidcAllow.some((entry) => entry.startsWith('group:'));
    const needsMore = needsGroups || claims.email === undefined;
    // Many providers put only `sub` into the token.
    const info =
      needsMore && provider.serverMetadata().userinfo_endpoint !== undefined
        ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
        : undefined;
    return personOf(claims, info, oidcGroupsClaim);
  }

  /** The signature and times are checked like those of a CI job's token (access.md 9.22). */
  async #verify(token: string): Promise<void> {
    const verified = await verifyToken(token, {
      issuers: [this.#issuer],
      keysOf: (_issuer, kid) => this.#keys.candidates(kid),
      now: this.#options.now(),
    });
    if ('reason' in verified) throw new Error(`the ID token is refused: ${verified.reason}`);
  }

  /** Whether a person may enter. Without a list, everyone who can sign in with the provider may. */
  allows({ email, groups }: Person): boolean {
    const { oidcAllow } = this.#options.config;
    if (oidcAllow.length === 0) return true;
    const address = email === undefined ? undefined : lowered(email);
    const domain = address?.slice(address.lastIndexOf('@'));
    return oidcAllow.some((entry) => {
      if (entry.startsWith('group:')) return groups.includes(entry.slice('group:'.length));
      return lowered(entry) === (entry.startsWith('@') ? domain : address);
    });
  }

  #provider(): Promise<client.Configuration> {
    this.#known ??= this.#discovered().catch((error) => {
      this.#known = undefined;
      const { oidcIssuer } = this.#options.config;
      this.#options.logger.warn(
        `The identity provider (OIDC_ISSUER=${oidcIssuer}) can't be used: ${discoveryFault(error)}`,
      );
      throw providerAway();
    });
    return this.#known;
  }

  async #discovered(): Promise<client.Configuration> {
    const { oidcIssuer = '', oidcClientId = '', oidcClientSecret = '' } = this.#options.config;
    const server = new URL(oidcIssuer);
    const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const found = await client.discovery(server, oidcClientId, undefined, client.None(), {
      execute: insecure,
      timeout: answerSeconds,
      [client.customFetch]: limitedFetch,
    });
    const metadata = found.serverMetadata();
    if (metadata.issuer !== oidcIssuer) throw new Error(otherIssuer(metadata.issuer));
    if (!metadata.authorization_endpoint || !metadata.token_endpoint) {
      throw new Error('its discovery document has no authorization_endpoint or token_endpoint, which a sign-in needs');
    }
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost;
    const provider = new client.Configuration(
      metadata,
      oidcClientId,
      { client_secret: oidcClientSecret, [client.clockTolerance]: toleranceSeconds },
      authentication(oidcClientSecret),
    );
    provider.timeout = answerSeconds;
    provider[client.customFetch] = limitedFetch;
    for (const allow of insecure) allow(provider);
    return provider;
  }
}

function otherIssuer(name: unknown): string {
  return `its discovery document names the issuer ${JSON.stringify(name)}. Set OIDC_ISSUER to exactly this name.`;
}

/** What is wrong with an issuer, for the log. */
function discoveryFault(error: unknown): string {
  const { message, cause } = error as Error;
  if (cause instanceof Response) return `the request for its discovery document returned ${cause.status}`;
  const { attribute, body, code } = (cause ?? {}) as { attribute?: string; body?: { issuer?: unknown }; code?: string };
  if (attribute === 'issuer') return otherIssuer(body?.issuer);
  // The innermost error says what failed, such as the connection.
  if (cause instanceof Error) return discoveryFault(cause);
  return code === undefined ? message : `${message} (${code})`;
}

/** The code of an error that the provider returned, such as `invalid_client`, with its explanation. */
export function providerRefusal(error: unknown): { readonly code: string; readonly text: string } | undefined {
  // Some providers respond to a wrong secret with a challenge, others with only a body.
  const challenge = error instanceof client.WWWAuthenticateChallengeError ? error.cause[0]?.parameters : undefined;
  const told = error instanceof client.ResponseBodyError ? error : challenge;
  if (told?.error === undefined) return undefined;
  const { error: code, error_description: text } = told;
  return { code, text: text === undefined ? code : `${code}: ${text}` };
}

type PersonClaims = Readonly<Record<string, unknown>>;

/** The ID token takes precedence over userinfo; an e-mail and its verification come from the same one. */
function personOf(claims: PersonClaims, info: PersonClaims | undefined, groupsClaim: string): Person {
  const { email, email_verified: verified } = claims.email === undefined ? (info ?? {}) : claims;
  // Some providers send booleans as text.
  const isEmail = typeof email === 'string' && isName.test(email) && verified !== false && verified !== 'false';
  return {
    sub: String(claims.sub),
    email: isEmail ? email : undefined,
    groups: [claims[groupsClaim] ?? info?.[groupsClaim]].flat().filter((group) => typeof group === 'string'),
  };
}

/** Names appear on pages, in acts and in cookies, so none has control characters. */
const isName = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** Only ASCII, because other letters of an address may look alike in another case. */
function lowered(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function providerAway(): Problem {
  return unavailable("The identity provider can't be used now. The service's log says why. Try again in a moment.");
}

/** Follows no redirects, and limits the size of responses. */
const limitedFetch: client.CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit).catch((error) => {
    throw new Problem('unavailable', { ...providerAway().options, cause: error });
  });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > answerBytesMax) throw new Error(`the provider sent more than ${answerBytesMax / 1024} KiB`);
    pieces.push(piece);
  }
  return new Response(pieces.length === 0 ? null : Buffer.concat(pieces), answer);
};
