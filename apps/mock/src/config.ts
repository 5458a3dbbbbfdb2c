import { mockLimits } from '@shiplog/companions';
import {
  developmentKeys,
  guardKeySetting,
  hostSetting,
  logLevelSetting,
  portSetting,
  problemBaseSetting,
  readSettings,
  type SettingsRule,
} from '@shiplog/server';

/** The configuration of the mock, parsed once. */
export interface MockConfig {
  readonly port: number;
  readonly host: string;
  /** The valid values of `X-Api-Key`: one, or two while a key is being rotated (reading 2.1). */
  readonly apiKeys: readonly string[];
  readonly problemBase: string;
  readonly logLevel: string;
}

export const settings = {
  port: portSetting(mockLimits.port),
  host: hostSetting(),
  apiKey: guardKeySetting('API_KEY'),
  apiKeyNext: guardKeySetting('API_KEY_NEXT'),
  problemBase: problemBaseSetting(),
  logLevel: logLevelSetting(),
};

/** API_KEY_NEXT alone would look like a rotation, but the default key would remain valid. */
const keysRule: SettingsRule<typeof settings> = {
  of: ['apiKey', 'apiKeyNext'],
  mistake: ({ apiKey, apiKeyNext }) =>
    apiKey === undefined && apiKeyNext !== undefined
      ? 'API_KEY_NEXT is set without API_KEY. Set API_KEY to the current key.'
      : undefined,
};

/**
 * Reads the configuration from the environment.
 * @throws SettingsError with one sentence per error.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): MockConfig {
  const { apiKey, apiKeyNext, ...values } = readSettings(settings, environment, [keysRule]);
  return { ...values, apiKeys: [apiKey ?? developmentKeys.api, ...(apiKeyNext === undefined ? [] : [apiKeyNext])] };
}
