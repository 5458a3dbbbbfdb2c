import { createHash } from 'node:crypto';
import { Problem } from '@shiplog/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ActRecord } from './act-record.ts';
import type { Cookies } from './cookies.ts';
import { type Person, Provider, providerRefusal, type SignInChecks } from './provider.ts';
import { SessionKeys } from './session-keys.ts';

interface SignInOptions {
  readonly publicUrl: string;
  readonly sessionHours: number;
  readonly provider: Provider;
  readonly sessions: SessionKeys;
  readonly cookies: Cookies;
  readonly acts: ActRecord;
  readonly now: () => number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const signInMs = 10 * minuteMs;
const notBegunHere = 'This sign-in was not started in this browser, or more than 10 minutes ago. Start again.';
const notConfirmed = 'The identity provider did not confirm the sign-in. Start again.';
/** OAuth errors about the client, which the person signing in can't fix. */
const isOurFault = new Set(['invalid_client', 'unauthorized_client']);
const ourFault =
  'The identity provider does not accept this service. Ask its operator to correct OIDC_CLIENT_ID or OIDC_CLIENT_SECRET.';
/** Longer than any address; a cookie has little room. */
const nameMax = 320;

interface Way {
  readonly to?: string | undefined;
  readonly isTransient?: boolean;
}

/** Why a person is not signed in, for a page. */
export class SignInRefused extends Error {
  readonly status: 400 | 403;
  /** Where the browser wanted to go, if that is known. */
  readonly to: string | undefined;
  /** Whether the page starts the sign-in again automatically. */
  readonly isTransient: boolean;

  constructor(status: 400 | 403, message: string, { to, isTransient = false }: Way = {}) {
    super(message);
    this.status = status;
    this.to = to;
    this.isTransient = isTransient;
  }
}

/** The sign-in of a person with the identity provider (access.md 5.4, 9.22). */
export class SignIn {
  readonly #options: SignInOptions;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /**
   * Where the browser continues. One cookie ties all its sign-ins to it, so that twenty tabs can sign in at once.
   * @throws Problem 503 while the provider can't be reached.
   */
  async begin(request: FastifyRequest, reply: FastifyReply, to: string): Promise<string> {
    const { cookies, sessions, provider, now } = this.#options;
    const browser = request.cookies[cookies.signIn] ?? SessionKeys.newId();
    reply.setCookie(cookies.signIn, browser, { ...cookies.options, maxAge: signInMs / 1000 });
    const checks = Provider.newChecks();
    const content = { ...checks, to, browser: digestOf(browser) };
    const state = await sessions.seal('sign-in', content, now() + signInMs);
    return (await provider.signInUrl({ ...checks, state })).href;
  }

  /**
   * Sets the cookie of the session. Returns where the browser continues.
   * @throws SignInRefused, or Problem 503 while the provider can't be reached.
   */
  async complete(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { acts, provider } = this.#options;
    const { search } = new URL(request.originalUrl, 'http://localhost');
    const query = new URLSearchParams(search);
    const { to, ...checks } = await this.#checks(request, query.get('state') ?? '');
    if (query.get('error') === 'access_denied') {
      throw new SignInRefused(403, 'The identity provider did not let you in, or you cancelled.', { to });
    }
    const person = await provider.person(search, checks).catch((error) => {
      if (unreachable(error)) throw unreachable(error);
      const refusal = providerRefusal(error);
      request.log.warn({ reason: refusal?.text ?? (error as Error).message }, 'a sign-in failed');
      acts.refuse({ subject: null, reason: 'not-confirmed', kind: 'sign-in-refused' });
      throw new SignInRefused(400, refusal && isOurFault.has(refusal.code) ? ourFault : notConfirmed, { to });
    });
    if (!provider.allows(person)) {
      const name = (person.email ?? person.sub).slice(0, nameMax);
      acts.refuse({ subject: name, reason: 'not-allowed', kind: 'sign-in-refused' });
      throw new SignInRefused(403, `${name} may not read this log. Ask its operator to add you (OIDC_ALLOW).`, { to });
    }
    await this.#enter(reply, person);
    return to;
  }

  async #checks(request: FastifyRequest, state: string): Promise<SignInChecks & { readonly to: string }> {
    const { cookies, sessions } = this.#options;
    const browser = request.cookies[cookies.signIn];
    const content = (await sessions.opened('sign-in', state))?.content;
    if (!browser || !content || content.browser !== digestOf(browser)) {
      // Tabs that a browser opens at the same moment each get a cookie, and only the last one is kept.
      const way = browser && content ? { to: String(content.to), isTransient: true } : {};
      throw new SignInRefused(400, notBegunHere, way);
    }
    return { state, nonce: String(content.nonce), verifier: String(content.verifier), to: String(content.to) };
  }

  async #enter(reply: FastifyReply, { sub, email }: Person): Promise<void> {
    const { cookies, sessions, sessionHours, now } = this.#options;
    const endsMs = now() + sessionHours * hourMs;
    const content = { jti: SessionKeys.newId(), sub, ...(email !== undefined && { name: email.slice(0, nameMax) }) };
    const maxAge = Math.floor(sessionHours * 3600);
    reply.setCookie(cookies.session, await sessions.seal('session', content, endsMs), { ...cookies.options, maxAge });
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The Problem 503 behind an error of the client library. */
function unreachable(error: unknown): Problem | undefined {
  const { cause } = error as { cause?: unknown };
  return [error, cause].find((each) => each instanceof Problem);
}

/** A path of this origin, as the browser sees it; the start page for anything else (access.md 9.22, 9.31). */
export function pathTo(to: unknown, prefix: string): string {
  const isPath = typeof to === 'string' && to.length <= pathMax && startsOnce.test(to) && !unsafe.test(to);
  if (!isPath) return `${prefix}/`;
  // A header holds only ASCII.
  return to.replace(/[^\x21-\x7e]+/g, (text) => Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&'));
}

const startsOnce = /^\/(?!\/)/;
const unsafe = /[\\\p{Cc}]/u;
/** The path travels to the provider and back in the encrypted state; longer addresses are often refused. */
const pathMax = 4096;
