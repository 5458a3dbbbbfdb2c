import { relayLimits } from '@shiplog/companions';
import {
  type ComponentKeys,
  componentKeys,
  controlKeySetting,
  fileSetting,
  keyMistakes,
  ownKeySetting,
} from '@shiplog/component';
import {
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
  urlSetting,
  type ValuesOf,
} from '@shiplog/server';
import { type RelayFile, readRelayFile } from './config/relay-file.ts';

/** Every variable of the relay; the configuration file may name more. */
export const settings = {
  baseUrl: urlSetting('DASHBOARD_API_BASE_URL', 'http://127.0.0.1:3000'),
  apiKey: keySetting('API_KEY', undefined),
  controlApiKey: controlKeySetting(),
  ownKey: ownKeySetting(),
  componentId: componentIdSetting(relayLimits.componentId),
  host: hostSetting(),
  port: portSetting(relayLimits.port),
  configFile: fileSetting('RELAY_CONFIG'),
  publicUrl: optional(urlSetting('PUBLIC_URL', 'https://shiplog.example.com')),
  resetGateMaxTtlMs: integerSetting('RESET_GATE_MAX_TTL_MS', {
    min: relayLimits.resetGateMaxTtlMsMin,
    max: relayLimits.resetGateMaxTtlMsMax,
    fallback: relayLimits.resetGateMaxTtlMs,
  }),
  logLevel: logLevelSetting(),
  problemBase: problemBaseSetting(),
};

function optional<Value>(setting: Setting<Value>): Setting<Value | undefined> {
  return { ...setting, fallback: undefined };
}

export interface RelayConfig
  extends Omit<ValuesOf<typeof settings>, 'apiKey' | 'controlApiKey' | 'ownKey' | 'configFile'>,
    ComponentKeys,
    RelayFile {}

/** Reads the environment variables and the file named by `RELAY_CONFIG`. @throws SettingsError with all errors. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): RelayConfig {
  const { configFile, ...values } = readSettings(settings, environment);
  const mistakes = keyMistakes(values);
  if (configFile === undefined) mistakes.push('RELAY_CONFIG is not set; set it to the path of a file with targets.');
  if (configFile === undefined || mistakes.length > 0) throw new SettingsError(mistakes.join('\n'));
  return {
    ...values,
    ...readRelayFile(configFile, environment),
    ...componentKeys(values),
  };
}
