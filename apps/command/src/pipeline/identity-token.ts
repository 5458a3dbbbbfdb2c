import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Fetch } from '@shiplog/client';
import type { Context, Environment } from '../context.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';

/** Gets an identity token of this CI job for an audience. `undefined` if the tool's program isn't installed. */
type TokenSource = (audience: string, signal: AbortSignal) => Promise<string | undefined>;

/** Three parts in base64url. Anything else would make a header invalid or reveal the output of a failed program. */
const jwt = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const answerBytesMax = 64 * 1024;

/**
 * Sends the requests of a caller without a key. Each has its own identity token, because GitHub's expire after five
 * minutes (access.md 3.9).
 */
export class TokenSender {
  /** Whether a request had a token. */
  hasSent = false;
  readonly #source: TokenSource;
  readonly #audience: string;

  /**
   * `undefined` if a key is set or this environment has no tokens. @throws Failure if `SHIPLOG_ID_TOKEN` is invalid.
   */
  static of({ keys, env, url }: Context): TokenSender | undefined {
    const source = keys.api === undefined ? tokenSource(env) : undefined;
    // The service is never asked for its audience, because it could name another service's (access.md 9.29).
    return source && new TokenSender(source, env.SHIPLOG_AUDIENCE || url);
  }

  private constructor(source: TokenSource, audience: string) {
    this.#source = source;
    this.#audience = audience;
  }

  readonly fetch: Fetch = async (url, init) => {
    const token = await this.#source(this.#audience, init.signal);
    if (token === undefined) return fetch(url, init);
    this.hasSent = true;
    return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
  };
}

function tokenSource(env: Environment): TokenSource | undefined {
  const given = env.SHIPLOG_ID_TOKEN;
  if (given) {
    if (!jwt.test(given))
      throw usageFailure(
        'SHIPLOG_ID_TOKEN is not an identity token. See docs/integrations.md for how each CI tool sets it.',
      );
    return async () => given;
  }
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (url && bearer) return (audience, signal) => fromGithub({ url, bearer, audience, signal });
  if (env.BUILDKITE === 'true') return fromProgram(env, 'buildkite-agent', buildkiteArguments);
  if (env.CIRCLECI === 'true') return fromProgram(env, 'circleci', circleArguments);
  return undefined;
}

function buildkiteArguments(audience: string): string[] {
  return ['oidc', 'request-token', '--audience', audience];
}

function circleArguments(audience: string): string[] {
  return ['run', 'oidc', 'get', '--claims', JSON.stringify({ aud: audience })];
}

interface GithubRequest {
  readonly url: string;
  readonly bearer: string;
  readonly audience: string;
  readonly signal: AbortSignal;
}

async function fromGithub({ url, bearer, audience, signal }: GithubRequest): Promise<string> {
  if (!URL.canParse(url)) throw noToken('GitHub Actions', 'ACTIONS_ID_TOKEN_REQUEST_URL is not a URL');
  const asked = new URL(url);
  asked.searchParams.set('audience', audience);
  const headers = { authorization: `Bearer ${bearer}`, accept: 'application/json' };
  const answer = await fetch(asked, { headers, redirect: 'manual', signal }).catch((error) => error as Error);
  // Messages of such errors may quote an invalid header.
  if (answer instanceof Error) throw noToken('GitHub Actions', 'no answer');
  if (!answer.ok) throw noToken('GitHub Actions', `status ${answer.status}`);
  const body: unknown = await answer.json().catch(() => undefined);
  return checked('GitHub Actions', (body as { readonly value?: unknown } | undefined)?.value);
}

function fromProgram(env: Environment, program: string, argumentsFor: (audience: string) => string[]): TokenSource {
  return async (audience, signal) => {
    const options = { env, signal, maxBuffer: answerBytesMax };
    const ended = await promisify(execFile)(program, argumentsFor(audience), options).catch((error) => error);
    if (!(ended instanceof Error)) return checked(program, ended.stdout.trim());
    const { code } = ended as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw noToken(program, typeof code === 'number' ? `exit code ${code}` : 'it could not be run');
  };
}

function checked(source: string, token: unknown): string {
  if (typeof token === 'string' && jwt.test(token)) return token;
  throw noToken(source, 'its response is not a token');
}

/** The source may recover, so posts are retried. */
function noToken(source: string, why: string): Failure {
  return new Failure(
    exitCodes.away,
    `Can't get an identity token from ${source} (${why}). Alternatively, set SHIPLOG_API_KEY.`,
  );
}
