import { urlSetting } from '@shiplog/server';
import { defineAdapter } from '../../adapter.ts';
import {
  budgetPercentSetting,
  hookSecretSetting,
  listSetting,
  signingTokenSetting,
  tokenSetting,
} from '../../settings.ts';
import { standardGuard, tokenGuard } from '../../tool/guards.ts';
import type { Rate, Tool } from '../../tool/tool-http.ts';
import { readIssue } from './issue.ts';
import { isPlace } from './places.ts';
import { GitlabSource } from './source.ts';

/** GitLab deployments, polled by the time of their last update (fetcher §10). */
export const gitlab = defineAdapter({
  kind: 'gitlab',
  settings: {
    webhookToken: hookSecretSetting('GITLAB_WEBHOOK_TOKEN'),
    webhookSigningToken: signingTokenSetting('GITLAB_WEBHOOK_SIGNING_TOKEN'),
  },
  webhook: {
    name: 'gitlab',
    guards: ({ webhookToken, webhookSigningToken }, now) => [
      ...(webhookToken === undefined ? [] : [tokenGuard('X-Gitlab-Token', webhookToken)]),
      ...(webhookSigningToken === undefined ? [] : [standardGuard(webhookSigningToken, now)]),
    ],
    placePointer: '/project/path_with_namespace',
    readIssue,
  },
  places: {
    key: 'projects',
    setting: listSetting(
      'GITLAB_PROJECTS',
      'a comma-separated list of projects: group/project, group/* for a group, group/** with its subgroups, and ! to exclude',
      isPlace,
    ),
  },
  tool: {
    baseUrl: urlSetting('GITLAB_BASE_URL', 'https://gitlab.com'),
    token: tokenSetting('GITLAB_TOKEN'),
    budgetPercent: budgetPercentSetting('GITLAB_RATE_LIMIT_BUDGET_PCT'),
  },
  open: (context) => new GitlabSource(context, context.http(toolOf(context.token))),
});

function toolOf(token: string | undefined): Tool {
  const headers: Readonly<Record<string, string>> = token === undefined ? {} : { 'private-token': token };
  // On GitLab, a 304 counts against the quota like any other response.
  return { headers: async () => headers, rateOf, isCharged: () => true };
}

/** Reads the quota from the headers. Its window is a minute. */
function rateOf(headers: Headers): Rate | undefined {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const text = headers.get(`ratelimit-${name}`) ?? '';
    return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
  });
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  return { limit, remaining, resetMs: resetSeconds * 1000 };
}
