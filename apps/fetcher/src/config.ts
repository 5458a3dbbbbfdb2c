import { fetcherLimits } from '@shiplog/companions';
import {
  type ComponentKeys,
  componentKeys,
  controlKeySetting,
  fileSetting,
  isLocalHost,
  keyMistakes,
  ownKeySetting,
} from '@shiplog/component';
import { durationMs } from '@shiplog/contract';
import {
  choiceSetting,
  componentIdSetting,
  hostSetting,
  integerSetting,
  keySetting,
  logLevelSetting,
  portSetting,
  problemBaseSetting,
  readSettings,
  type Setting,
  SettingsError,
  type SettingsRecord,
  secretSetting,
  urlSetting,
  type ValuesOf,
} from '@shiplog/server';
import type { Adapter, SourceTimes } from './adapter.ts';
import { adapters as knownAdapters } from './adapters/index.ts';
import { type ConfigFile, noConfigFile, readConfigFile } from './config/config-file.ts';
import { type SourceConfig, settingsOf, sourcesOf, valuesOf } from './config/source-config.ts';
import { type HookSettings, secretMistake } from './config/webhooks.ts';
import { durationSetting, listOf, listSetting } from './settings.ts';

const lookback = { min: fetcherLimits.lookbackMin, max: fetcherLimits.lookbackMax };

const programSettings = {
  baseUrl: urlSetting('DASHBOARD_API_BASE_URL', 'http://127.0.0.1:3000'),
  apiKey: keySetting('API_KEY', undefined),
  controlApiKey: controlKeySetting(),
  ownKey: ownKeySetting(),
  componentId: componentIdSetting(fetcherLimits.componentId),
  host: hostSetting(),
  port: portSetting(fetcherLimits.port),
  configFile: fileSetting('FETCHER_CONFIG'),
  pollIntervalSeconds: integerSetting('POLL_INTERVAL_SECONDS', {
    min: 1,
    max: fetcherLimits.pollIntervalSecondsMax,
    fallback: fetcherLimits.pollIntervalSeconds,
  }),
  initialLookback: durationSetting('INITIAL_LOOKBACK', { ...lookback, fallback: fetcherLimits.initialLookback }),
  backfill: choiceSetting('BACKFILL', ['true', 'false'], 'false'),
  backfillMaxAge: {
    ...durationSetting('BACKFILL_MAX_AGE', { ...lookback, fallback: '' }),
    fallback: undefined,
  } as Setting<string | undefined>,
  backfillDepth: integerSetting('BACKFILL_DEPTH', { min: 0, max: fetcherLimits.backfillDepthMax, fallback: 0 }),
  afterReset: choiceSetting('AFTER_RESET', ['backfill', 'now'], 'backfill'),
  watchMaxAge: durationSetting('WATCH_MAX_AGE', {
    min: fetcherLimits.watchMaxAgeMin,
    max: fetcherLimits.watchMaxAgeMax,
    fallback: fetcherLimits.watchMaxAge,
  }),
  discoveryIntervalSeconds: integerSetting('DISCOVERY_INTERVAL_SECONDS', {
    min: fetcherLimits.discoveryIntervalSecondsMin,
    max: fetcherLimits.discoveryIntervalSecondsMax,
    fallback: fetcherLimits.discoveryIntervalSeconds,
  }),
  requestsPerMinute: integerSetting('CI_MAX_REQUESTS_PER_MINUTE', {
    min: fetcherLimits.maxRequestsPerMinuteMin,
    max: fetcherLimits.maxRequestsPerMinuteMax,
    fallback: fetcherLimits.maxRequestsPerMinute,
  }),
  resetGateMaxTtlMs: integerSetting('RESET_GATE_MAX_TTL_MS', {
    min: fetcherLimits.resetGateMaxTtlMsMin,
    max: fetcherLimits.resetGateMaxTtlMsMax,
    fallback: fetcherLimits.resetGateMaxTtlMs,
  }),
  allowHttpHosts: listSetting(
    'CI_ALLOW_HTTP_HOSTS',
    'a comma-separated list of hosts, such as git.acme.internal',
    (host) => /^[a-z0-9.:[\]-]+$/i.test(host),
  ),
  logLevel: logLevelSetting(),
  problemBase: problemBaseSetting(),
};

/** Every environment variable of the fetcher, including those of its adapters. */
export const settings: SettingsRecord = settingsWith(knownAdapters);

function settingsWith(adapters: readonly Adapter[]): SettingsRecord {
  return {
    ...programSettings,
    ...Object.fromEntries(adapters.flatMap(settingsOf).map((setting) => [setting.variable, setting])),
  };
}

export interface FetcherConfig
  extends Omit<ValuesOf<typeof programSettings>, 'apiKey' | 'controlApiKey' | 'ownKey' | 'configFile' | 'backfill'>,
    ComponentKeys {
  readonly backfill: boolean;
  readonly initialLookbackMs: number;
  readonly times: SourceTimes;
  readonly sources: readonly SourceConfig[];
  readonly environments: ConfigFile['environments'];
  readonly rules: ConfigFile['rules'];
  readonly hooks: HookSettings;
  readonly calendars: ConfigFile['calendars'];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment variables and the file named by `FETCHER_CONFIG`. @throws SettingsError with all errors. */
export function readConfig(environment: Environment, adapters: readonly Adapter[] = knownAdapters): FetcherConfig {
  const values = readSettings(settingsWith(adapters), environment) as ValuesOf<typeof programSettings> &
    ValuesOf<SettingsRecord>;
  const file = values.configFile === undefined ? noConfigFile : readConfigFile(values.configFile, adapters);
  const sources = sourcesOf(adapters, values, file.sources, environment);
  const mistakes = [...keyMistakes(values), ...addressMistakes(values, sources, file.calendars)];
  for (const adapter of adapters) {
    const mistake = adapter.mistake?.(valuesOf(adapter, values));
    if (mistake !== undefined) mistakes.push(mistake);
  }
  if (sources.length === 0 && file.webhooks.length === 0 && file.calendars.length === 0) {
    const placesVariables = adapters.map(({ places }) => places.setting.variable).join(' or ');
    mistakes.push(`Nothing to fetch. Set ${placesVariables}, a webhook's secret, or FETCHER_CONFIG.`);
  }
  const hooks = hooksOf(adapters, values, file, environment);
  mistakes.push(...hooks.entries.flatMap((entry) => secretMistake(entry, hooks.secretOf(entry.auth.secretEnv)) ?? []));
  if (hooks.issues && hooks.tools.every(({ webhook, values: own }) => webhook.guards(own, () => 0).length === 0)) {
    const names = hooks.tools.map(({ webhook }) => `/webhooks/${webhook.name}`);
    mistakes.push(`"issues" needs a webhook that receives issues. Set the secret of ${names.join(' or ')}.`);
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes.join('\n'));
  const initialLookbackMs = durationMs(values.initialLookback) ?? 0;
  return {
    ...values,
    ...componentKeys(values),
    backfill: values.backfill === 'true',
    initialLookbackMs,
    times: {
      watchMaxAgeMs: durationMs(values.watchMaxAge) ?? 0,
      backfillMaxAgeMs: durationMs(values.backfillMaxAge ?? '') ?? initialLookbackMs,
      discoveryMs: values.discoveryIntervalSeconds * 1000,
      backfillDepth: values.backfillDepth,
    },
    sources,
    environments: file.environments,
    rules: file.rules,
    hooks,
    calendars: file.calendars,
  };
}

function hooksOf(
  adapters: readonly Adapter[],
  values: ValuesOf<SettingsRecord>,
  { webhooks, issues }: ConfigFile,
  environment: Environment,
): HookSettings {
  const variables = [...new Set(webhooks.map(({ auth }) => auth.secretEnv))];
  const secrets = readSettings(
    Object.fromEntries(variables.map((variable) => [variable, secretSetting(variable)])),
    environment,
  );
  return {
    tools: adapters.flatMap((adapter) =>
      adapter.webhook ? [{ webhook: adapter.webhook, values: valuesOf(adapter, values) }] : [],
    ),
    entries: webhooks,
    issues,
    secretOf: (variable) => secrets[variable],
  };
}

/** Tokens and secret addresses of calendars must not be sent unencrypted. */
function addressMistakes(
  values: ValuesOf<typeof programSettings>,
  sources: readonly SourceConfig[],
  calendars: ConfigFile['calendars'],
): string[] {
  const allowed = listOf(values.allowHttpHosts.toLowerCase());
  const isSafe = ({ protocol, hostname, host }: URL) =>
    protocol === 'https:' || isLocalHost(hostname) || allowed.includes(hostname) || allowed.includes(host);
  const advice = ({ hostname }: URL) =>
    `, which doesn't use HTTPS. Use https, or add ${hostname} to CI_ALLOW_HTTP_HOSTS.`;
  return [
    ...sources.flatMap(({ id, baseUrl }) => {
      const url = new URL(baseUrl);
      return isSafe(url) ? [] : [`The base URL of ${id} is ${baseUrl}${advice(url)}`];
    }),
    ...calendars.flatMap(({ name, place }) =>
      'file' in place || isSafe(place.url)
        ? []
        : [`The calendar ${name} is read from ${place.url.origin}${advice(place.url)}`],
    ),
  ];
}
