import type { Context } from '../../adapter.ts';
import type { Rate, Tool, ToolHttp } from '../../tool/tool-http.ts';
import { type AppCredentials, AppToken, appJwt } from './app-token.ts';

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

export interface GithubCalls {
  readonly http: ToolHttp;
  renewToken(): void;
}

export function openCalls(context: Pick<Context, 'http' | 'token'>, app: AppCredentials | undefined): GithubCalls {
  const { token } = context;
  if (!app || token !== undefined) {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const tool = githubTool(async () => ({ ...headers, ...authorization }), token !== undefined);
    return { http: context.http(tool), renewToken: () => undefined };
  }
  const own: ToolHttp = context.http({
    headers: async () => ({ ...headers, authorization: `Bearer ${appJwt(app, own.now())}` }),
    rateOf: () => undefined,
    // An App's own requests don't count against its installation.
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
