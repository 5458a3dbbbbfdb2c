import { fetcherLimits } from '@shiplog/companions';
import {
  choiceSetting,
  integerSetting,
  type Setting,
  type SettingsRecord,
  secretSetting,
  textSetting,
  urlSetting,
  type ValuesOf,
} from '@shiplog/server';
import { type Context, defineAdapter } from '../../adapter.ts';
import type { Json } from '../../change.ts';
import { budgetPercentSetting, hookSecretSetting, listSetting, tokenSetting } from '../../settings.ts';
import { bodyJson, parseJson, type RawDelivery, singleHeader } from '../../tool/delivery.ts';
import { hmacGuard } from '../../tool/guards.ts';
import { defaultsOf, exclusionOf, isGlob, serviceOf, versionTemplate } from './defaults.ts';
import { Discovery } from './discovery.ts';
import { type AppCredentials, isPrivateKey, openCalls } from './github-tool.ts';
import { readIssue } from './issue.ts';
import { GithubSource } from './source.ts';
import { Translator } from './translator.ts';

const kind = 'github-actions';

const baseUrl = urlSetting('GITHUB_BASE_URL', 'https://api.github.com');
const token = tokenSetting('GITHUB_TOKEN');
const budgetPercent = budgetPercentSetting('GITHUB_RATE_LIMIT_BUDGET_PCT');
const quota = integerSetting('GITHUB_RATE_LIMIT', { min: 0, max: fetcherLimits.rateLimitMax, fallback: 0 });
const repos = listSetting('GITHUB_REPOS', 'a comma-separated list of repositories: owner/repo, owner/* or *', isPlace);

const settings = {
  token,
  appId: optional('GITHUB_APP_ID', 'the id of a GitHub App', /^[\w.]{1,100}$/),
  appInstallationId: optional('GITHUB_APP_INSTALLATION_ID', 'the id of an installation', /^\d{1,20}$/),
  appPrivateKey: {
    ...secretSetting('GITHUB_APP_PRIVATE_KEY'),
    takes: 'the private RSA key of a GitHub App in PEM',
    parse: (text: string) => (isPrivateKey(pemOf(text)) ? pemOf(text) : undefined),
  },
  serviceMap: listSetting(
    'GITHUB_SERVICE_MAP',
    'a comma-separated list of pairs, such as acme/shop=checkout,Deploy docs=docs',
    (item) => serviceOf(item).length > 0,
  ),
  serviceFrom: choiceSetting('GITHUB_SERVICE_FROM', ['repo', 'workflow'], 'repo'),
  versionSource: {
    ...textSetting(
      'GITHUB_VERSION_SOURCE',
      'attribute:, payload: or artifact: followed by a name, such as payload:version',
      'attribute:sha',
    ),
    parse: (text: string) => (versionTemplate(text) === undefined ? undefined : text),
  },
  workflowExclude: listSetting(
    'GITHUB_WORKFLOW_EXCLUDE',
    'a comma-separated list of globs of owner/repo/workflow, such as acme/*/Nightly*',
    isGlob,
  ),
  webhookSecret: hookSecretSetting('GITHUB_WEBHOOK_SECRET'),
  webhookSecretNext: hookSecretSetting('GITHUB_WEBHOOK_SECRET_NEXT'),
} satisfies SettingsRecord;

type Values = ValuesOf<typeof settings>;

/** GitHub also sends a signature in SHA-1, which is ignored. */
const signature = { header: 'X-Hub-Signature-256', encoding: 'hex', prefix: 'sha256=' } as const;

/** GitHub deployments, created by Actions or otherwise (fetcher §9). */
export const githubActions = defineAdapter({
  kind,
  settings,
  places: { key: 'repos', setting: repos },
  tool: { baseUrl, token, budgetPercent, quota },
  webhook: {
    name: 'github',
    guards: ({ webhookSecret, webhookSecretNext }) => {
      const secrets = [webhookSecret, webhookSecretNext].filter((secret) => secret !== undefined);
      return secrets.length === 0 ? [] : [hmacGuard({ ...signature, secrets })];
    },
    placePointer: '/repository/full_name',
    readIssue,
    idHeader: 'x-github-delivery',
    readBody,
  },
  mistake,
  open,
});

/** A webhook may be configured to send its JSON as a form field. */
function readBody(delivery: RawDelivery): Json {
  const type = singleHeader(delivery.headers, 'content-type')?.toLowerCase() ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return bodyJson(delivery);
  return parseJson(new URLSearchParams(delivery.body.toString('utf8')).get('payload') ?? '');
}

function open(context: Context<Values>): GithubSource {
  const { values, places, times, log } = context;
  const app = appOf(values);
  const { http, renewToken } = openCalls(context, app);
  const listOfAll = app && context.token === undefined ? '/installation/repositories' : '/user/repos';
  return new GithubSource({
    ...{ kind, http, times, log, renewToken },
    canAsk: context.token !== undefined || app !== undefined,
    translator: new Translator(http, { adapter: kind }),
    discovery: new Discovery({ http, places, listOfAll, periodMs: times.discoveryMs, log }),
    defaults: defaultsOf(values),
    isExcluded: exclusionOf(values.workflowExclude),
    onUnknown: (state) => context.unknownStatus(state),
  });
}

function mistake(values: Values): string | undefined {
  const app = [settings.appId, settings.appInstallationId, settings.appPrivateKey];
  const given = [values.appId, values.appInstallationId, values.appPrivateKey];
  const missing = app.filter((_, index) => given[index] === undefined).map(({ variable }) => variable);
  if (missing.length === app.length) return undefined;
  if (values.token !== undefined) {
    return `${token.variable} and a GitHub App are both set. Use one: unset ${token.variable}, or GITHUB_APP_ID, GITHUB_APP_INSTALLATION_ID and GITHUB_APP_PRIVATE_KEY.`;
  }
  return missing.length === 0
    ? undefined
    : `A GitHub App also needs ${missing.join(' and ')}. Set it, or use GITHUB_TOKEN.`;
}

function appOf({ appId, appInstallationId, appPrivateKey }: Values): AppCredentials | undefined {
  if (appId === undefined || appInstallationId === undefined || appPrivateKey === undefined) return undefined;
  return { appId, installationId: appInstallationId, privateKey: appPrivateKey };
}

/** `owner/repo`, with wildcards in the name, or `*`. */
function isPlace(text: string): boolean {
  return text === '*' || /^[\w-]+\/[\w.*?-]+$/.test(text);
}

/** Allows line breaks as `\n`, because environment variables are often limited to one line. */
function pemOf(text: string): string {
  return text.replaceAll('\\n', '\n');
}

function optional(variable: string, takes: string, pattern: RegExp): Setting<string | undefined> {
  return { variable, takes, fallback: undefined, parse: (text) => (pattern.test(text) ? text : undefined) };
}
