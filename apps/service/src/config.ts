import { limits, patterns, promotionOrder, resetExpectedComponents } from '@shiplog/contract';
import {
  choiceSetting,
  developmentKeys,
  guardKeySetting,
  hostSetting,
  integerSetting,
  isLoopback,
  type KeySettings,
  logLevelSetting,
  portSetting,
  problemBaseSetting,
  readSettings,
  type Setting,
  type SettingsRule,
  textSetting,
  trustedProxiesSetting,
} from '@shiplog/server';
import { parseStages, plainStages, type Stage } from '@shiplog/text';
import { listSetting, readerSettings, readersRule } from './config-readers.ts';
import { type AnalyticsSettings, granularities } from './domain/analytics-window.ts';
import { areHostsWhole, hostUrls, requestedServer } from './domain/host-urls.ts';
import type { ResetSettings } from './domain/reset.ts';

export const settings = {
  port: portSetting(3000),
  host: hostSetting(),
  // An empty DATABASE_URL is an error, because falling back to an empty embedded log would hide a missing setting.
  databaseUrl: { ...databaseUrlSetting('DATABASE_URL', 'to use the embedded database'), takesEmpty: true },
  readDatabaseUrl: databaseUrlSetting('READ_DATABASE_URL', 'to read only from the primary'),
  dataDir: textSetting('DATA_DIR', 'the path of a folder', './data'),
  dashboardDir: textSetting('DASHBOARD_DIR', 'the path of a folder', '../dashboard/dist'),
  catalogFile: unsetByDefault(textSetting('CATALOG_FILE', 'the path of a file', '')),
  accessFile: unsetByDefault(textSetting('ACCESS_FILE', 'the path of a file', '')),
  apiKey: guardKeySetting('API_KEY'),
  apiKeyNext: guardKeySetting('API_KEY_NEXT'),
  controlApiKey: guardKeySetting('CONTROL_API_KEY'),
  controlApiKeyNext: guardKeySetting('CONTROL_API_KEY_NEXT'),
  historyRetentionDays: integerSetting('HISTORY_RETENTION_DAYS', {
    min: limits.historyRetentionDaysMin,
    max: 1_000_000,
    fallback: limits.historyRetentionDaysDefault,
  }),
  /** The maximum time between now and a future `happened_at`. `undefined` means no limit. */
  maxFutureHours: unsetByDefault(integerSetting('MAX_FUTURE_HOURS', { min: 1, max: 1_000_000, fallback: 1 })),
  /** The number of rows that a doubtful pruning run may remove. */
  pruneConfirm: unsetByDefault(integerSetting('PRUNE_CONFIRM', { min: 1, max: 1e15, fallback: 1 })),
  slotsMax: integerSetting('SLOTS_MAX', { min: 1, max: 1e9, fallback: limits.slotsMaxDefault }),
  resetAckTimeoutSeconds: integerSetting('RESET_ACK_TIMEOUT_SECONDS', {
    min: 0,
    max: 3600,
    fallback: limits.resetAckTimeoutSeconds,
  }),
  resetGateMaxTtlSeconds: integerSetting('RESET_GATE_MAX_TTL_SECONDS', {
    min: 1,
    max: 3600,
    fallback: limits.resetGateMaxTtlSeconds,
  }),
  resetExpectedComponents: componentsSetting(),
  analyticsWindowGranularity: choiceSetting('ANALYTICS_WINDOW_GRANULARITY', granularities, 'day'),
  analyticsFunnelEnvironments: promotionOrderSetting(),
  /** How long before an outage a deployment is suspected. */
  outageLinkHours: integerSetting('OUTAGE_LINK_HOURS', { min: 1, max: 168, fallback: 4 }),
  /** The environments for which events posted with the shared key are findings. */
  provenEnvironments: listSetting('PROVEN_ENVIRONMENTS', 'such as prod-eu,prod-us'),
  ...readerSettings,
  problemBase: problemBaseSetting(),
  /** The number of slow reads that one client may have in progress. 0 means no limit. */
  readsPerClient: integerSetting('READS_PER_CLIENT', { min: 0, max: 10_000, fallback: 8 }),
  trustedProxies: trustedProxiesSetting(),
  logLevel: logLevelSetting(),
};

function unsetByDefault<Value>(setting: Setting<Value>): Setting<Value | undefined> {
  return { ...setting, fallback: undefined };
}

function databaseUrlSetting(variable: string, unset: string): Setting<string | undefined> {
  return {
    variable,
    takes: `a URL such as postgres://user:password@host:5432/shiplog, with commas between hosts; leave it unset ${unset}`,
    fallback: undefined,
    // A URL usually contains a password.
    secret: true,
    // A URL with several hosts is not a valid URL, but it is valid with each host alone.
    parse: (text) =>
      /^postgres(ql)?:\/\/./.test(text) && hostUrls(text).every((url) => URL.canParse(url)) ? text : undefined,
  };
}

function componentsSetting(): Setting<readonly string[]> {
  const id = new RegExp(patterns.componentId);
  return {
    variable: 'RESET_EXPECTED_COMPONENTS',
    takesEmpty: true,
    takes: 'comma-separated component ids such as dashboard-fetcher,demo-driver, or an empty value to wait for none',
    fallback: resetExpectedComponents,
    parse: (text) => {
      const ids = text.split(',').map((part) => part.trim());
      if (ids.every((part) => part === '')) return [];
      return ids.every((part) => id.test(part)) ? [...new Set(ids)] : undefined;
    },
  };
}

function promotionOrderSetting(): Setting<readonly Stage[]> {
  return {
    variable: 'ANALYTICS_FUNNEL_ENVIRONMENTS',
    takes: 'comma-separated stages in promotion order, such as dev,staging,prod or dev,production=prod|prod-*',
    fallback: plainStages(promotionOrder),
    parse: (text) => {
      const parsed = parseStages(text);
      return 'stages' in parsed ? parsed.stages : undefined;
    },
    mistake: (text) => {
      const parsed = parseStages(text);
      return 'mistake' in parsed ? parsed.mistake : undefined;
    },
  };
}

/** The configuration of an instance, parsed once. */
export type ServiceConfig = ReturnType<typeof readConfig>;

/** @throws SettingsError with one sentence per error. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const values = readSettings(settings, environment, [keysRule, readersRule, databaseUrlRule, readDatabaseUrlRule]);
  const { apiKey, apiKeyNext, controlApiKey, controlApiKeyNext, ...keyless } = values;
  const { resetAckTimeoutSeconds, resetGateMaxTtlSeconds, resetExpectedComponents, ...others } = keyless;
  const { analyticsWindowGranularity, analyticsFunnelEnvironments, ...config } = others;
  const keys: KeySettings = {
    // Without any key, use the development keys; with only a control key, none for posts.
    api:
      apiKey === undefined && controlApiKey !== undefined ? [] : keyValues(apiKey ?? developmentKeys.api, apiKeyNext),
    control: keyValues(controlApiKey ?? developmentKeys.control, controlApiKeyNext),
  };
  const reset: ResetSettings = {
    ackTimeoutSeconds: resetAckTimeoutSeconds,
    gateMaxTtlSeconds: resetGateMaxTtlSeconds,
    expectedComponents: resetExpectedComponents,
  };
  const analytics: AnalyticsSettings = {
    granularity: analyticsWindowGranularity,
    promotionOrder: analyticsFunnelEnvironments,
  };
  return { ...config, keys, reset, analytics, trustedProxies: config.trustedProxies ?? [] };
}

/** All keys must differ. They may be unset only if no other machine can reach the service (readings 2.1 and 2.2). */
const keysRule: SettingsRule<typeof settings> = {
  of: ['host', 'databaseUrl', 'accessFile', 'apiKey', 'apiKeyNext', 'controlApiKey', 'controlApiKeyNext'],
  mistake: ({ host, databaseUrl, accessFile, apiKey, apiKeyNext, controlApiKey, controlApiKeyNext }) => {
    const all = [apiKey, apiKeyNext, controlApiKey, controlApiKeyNext];
    if (all.every((key) => key === undefined)) {
      if (!isLoopback(host)) {
        return `HOST is ${JSON.stringify(host)}, which other machines can reach. Set API_KEY and CONTROL_API_KEY, or listen on 127.0.0.1.`;
      }
      if (databaseUrl === undefined) return undefined;
      return 'DATABASE_URL is set, and the development keys are only for the embedded database. Set API_KEY and CONTROL_API_KEY.';
    }
    for (const [variable, key] of Object.entries({ API_KEY: apiKey, CONTROL_API_KEY: controlApiKey })) {
      // With an access file, which may say `shared_key: off`, no shared key is needed to post.
      if (key !== undefined || (variable === 'API_KEY' && accessFile !== undefined)) continue;
      return `${variable} is not set but another key is. Set both API_KEY and CONTROL_API_KEY.`;
    }
    const control = [controlApiKey, controlApiKeyNext].filter((key) => key !== undefined);
    if (!control.some((key) => key === apiKey || key === apiKeyNext)) return undefined;
    return "An API key and a control key have the same value. Give CONTROL_API_KEY its own value so that pipelines can't reset the log.";
  },
};

/** PostgreSQL's own clients accept URL parts that the driver would silently ignore. */
const databaseUrlRule: SettingsRule<typeof settings> = {
  of: ['databaseUrl'],
  mistake: ({ databaseUrl }) => {
    if (databaseUrl === undefined) return undefined;
    if (!areHostsWhole(databaseUrl)) return brokenHosts('DATABASE_URL');
    const requested = requestedServer(databaseUrl);
    if (requested === undefined || ['primary', 'read-write'].includes(requested)) return undefined;
    return 'target_session_attrs in DATABASE_URL selects a server other than the primary. Shiplog needs the primary: remove target_session_attrs.';
  },
};

const readDatabaseUrlRule: SettingsRule<typeof settings> = {
  of: ['databaseUrl', 'readDatabaseUrl'],
  mistake: ({ databaseUrl, readDatabaseUrl }) => {
    if (readDatabaseUrl === undefined) return undefined;
    if (databaseUrl === undefined) {
      return 'READ_DATABASE_URL is set without DATABASE_URL, but the embedded database has no standbys. Set DATABASE_URL, or remove both.';
    }
    if (!areHostsWhole(readDatabaseUrl)) return brokenHosts('READ_DATABASE_URL');
    const requested = requestedServer(readDatabaseUrl);
    if (requested === undefined || ['any', 'read-only', 'standby', 'prefer-standby'].includes(requested))
      return undefined;
    return 'target_session_attrs in READ_DATABASE_URL selects the primary or has an unknown value. READ_DATABASE_URL is for standbys: remove target_session_attrs.';
  },
};

function brokenHosts(variable: string): string {
  return `${variable} names several hosts, but one is empty or the number of ports doesn't match. Name each host, each with its port or with one port for all.`;
}

function keyValues(key: string, next: string | undefined): string[] {
  return next === undefined ? [key] : [key, next];
}
