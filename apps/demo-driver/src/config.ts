import { fileURLToPath } from 'node:url';
import { driverComponentId, driverLimits, mockLimits } from '@shiplog/companions';
import { patterns } from '@shiplog/contract';
import {
  developmentKeys,
  hostSetting,
  integerSetting,
  logLevelSetting,
  portSetting,
  problemBaseSetting,
  readSettings,
  type Setting,
  secretSetting,
  textSetting,
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
  writeApiUrl: urlSetting('WRITE_API_URL', mockLimits.port),
  apiKey: keySetting('API_KEY', developmentKeys.api),
  controlApiKey: keySetting('CONTROL_API_KEY', developmentKeys.control),
  componentId: componentIdSetting(),
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
  emulatorUrl: urlSetting('CI_EMULATOR_URL', 3100),
  fetcherUrl: urlSetting('FETCHER_URL', 8080),
  problemBase: problemBaseSetting(),
  logLevel: logLevelSetting(),
};

function urlSetting(variable: string, port: number): Setting<string> {
  return {
    variable,
    takes: `a URL without credentials, query and fragment, such as http://127.0.0.1:${port}`,
    fallback: `http://127.0.0.1:${port}`,
    parse: (text) => {
      if (!/^https?:\/\/[^/?#@]+(\/[^?#@]*)?$/i.test(text) || /\s/.test(text) || !URL.canParse(text)) return undefined;
      return text.replace(/\/+$/, '');
    },
  };
}

/** A key that no header can carry would make every call fail, with an error message that contains the key. */
function keySetting(variable: string, fallback: string): Setting<string> {
  const { parse, ...secret } = secretSetting(variable);
  return {
    ...secret,
    takes: 'a value of printable ASCII that neither begins nor ends with a blank',
    fallback,
    parse: (text) => (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? parse(text) : undefined),
  };
}

function componentIdSetting(): Setting<string> {
  const pattern = new RegExp(patterns.componentId);
  return {
    variable: 'COMPONENT_ID',
    takes: 'lower-case letters, digits, dots and hyphens, at most 128, such as demo-driver',
    fallback: driverComponentId,
    parse: (text) => (pattern.test(text) ? text : undefined),
  };
}

/**
 * Reads the configuration from the environment.
 * @throws SettingsError with one sentence per mistake.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): DriverConfig {
  const { apiKey, controlApiKey, writeApiUrl, emulatorUrl, fetcherUrl, ...values } = readSettings(
    settings,
    environment,
  );
  return {
    ...values,
    keys: { api: apiKey, control: controlApiKey },
    neighbours: { writeApiUrl, emulatorUrl, fetcherUrl },
  };
}
