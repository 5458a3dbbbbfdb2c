import { fileURLToPath } from 'node:url';
import { driverComponentId, driverLimits, mockLimits } from '@shiplog/companions';
import { ownKeySetting } from '@shiplog/component';
import {
  componentIdSetting,
  developmentKeys,
  hostSetting,
  integerSetting,
  keySetting,
  logLevelSetting,
  portSetting,
  problemBaseSetting,
  readSettings,
  textSetting,
  urlSetting,
} from '@shiplog/server';
import type { Neighbours } from './health.ts';

/** The whole configuration of the driver, parsed once. */
export interface DriverConfig {
  readonly port: number;
  readonly host: string;
  readonly neighbours: Neighbours;
  readonly keys: { readonly api: string; readonly control: string };
  readonly componentId: string;
  readonly resetGateMaxTtlMs: number;
  /** A relative path starts at the app's folder. */
  readonly scenariosDir: string;
  readonly emitDelayMs: number;
  readonly emitIntervalMs: number;
  readonly problemBase: string;
  readonly logLevel: string;
}

/** The base of relative paths in the settings: the folder above `src` and `dist`. */
export const appFolder = fileURLToPath(new URL('../', import.meta.url));

const dayMs = 86_400_000;

export const settings = {
  port: portSetting(driverLimits.port),
  host: hostSetting(),
  writeApiUrl: urlSetting('WRITE_API_URL', `http://127.0.0.1:${mockLimits.port}`),
  apiKey: keySetting('API_KEY', developmentKeys.api),
  controlApiKey: keySetting('CONTROL_API_KEY', developmentKeys.control),
  ownKey: ownKeySetting(),
  componentId: componentIdSetting(driverComponentId),
  resetGateMaxTtlMs: integerSetting('RESET_GATE_MAX_TTL_MS', {
    min: 1,
    max: dayMs,
    fallback: driverLimits.resetGateMaxTtlMs,
  }),
  scenariosDir: textSetting('SCENARIOS_DIR', 'the path of a folder', '../../demo/data'),
  emitDelayMs: integerSetting('EMIT_DELAY_MS', {
    min: 0,
    max: driverLimits.pauseMsMax,
    fallback: driverLimits.emitDelayMs,
  }),
  emitIntervalMs: integerSetting('EMIT_INTERVAL_MS', {
    min: 1,
    max: driverLimits.pauseMsMax,
    fallback: driverLimits.emitIntervalMs,
  }),
  emulatorUrl: urlSetting('CI_EMULATOR_URL', 'http://127.0.0.1:3100'),
  fetcherUrl: urlSetting('FETCHER_URL', 'http://127.0.0.1:8080'),
  problemBase: problemBaseSetting(),
  logLevel: logLevelSetting(),
};

/**
 * Reads the configuration from the environment.
 * @throws SettingsError with one sentence per error.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): DriverConfig {
  const { apiKey, controlApiKey, ownKey, writeApiUrl, emulatorUrl, fetcherUrl, ...values } = readSettings(
    settings,
    environment,
  );
  return {
    ...values,
    keys: { api: ownKey ?? apiKey, control: ownKey ?? controlApiKey },
    neighbours: { writeApiUrl, emulatorUrl, fetcherUrl },
  };
}
