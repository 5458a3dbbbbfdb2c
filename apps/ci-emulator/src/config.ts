import { fileURLToPath } from 'node:url';
import { emulatorLimits } from '@shiplog/companions';
import { parseInstant } from '@shiplog/contract';
import {
  choiceSetting,
  hostSetting,
  integerSetting,
  logLevelSetting,
  portSetting,
  problemBaseSetting,
  readSettings,
  type Setting,
  secretSetting,
  textSetting,
  type ValuesOf,
} from '@shiplog/server';

/** The base for relative paths in the settings: the folder above `src` and `dist`. */
export const appFolder = fileURLToPath(new URL('../', import.meta.url));

const { rateLimitMax, pauseMsMax } = emulatorLimits;

export const settings = {
  port: portSetting(emulatorLimits.port),
  host: hostSetting(),
  seedOnStartup: choiceSetting('SEED_ON_STARTUP', ['true', 'false'], 'true'),
  seedDataset: datasetSetting(),
  seed: integerSetting('SEED', { min: 0, max: emulatorLimits.seedMax, fallback: 1 }),
  clock: clockSetting(),
  scenariosDir: textSetting('SCENARIOS_DIR', 'the path of a folder', '../../demo/data'),
  emitIntervalMs: integerSetting('EMIT_INTERVAL_MS', {
    min: emulatorLimits.emitIntervalMsMin,
    max: pauseMsMax,
    fallback: emulatorLimits.emitIntervalMs,
  }),
  emitStepMs: integerSetting('EMIT_STEP_MS', { min: 0, max: pauseMsMax, fallback: emulatorLimits.emitStepMs }),
  githubRateLimit: integerSetting('GITHUB_SIM_RATE_LIMIT', {
    min: 0,
    max: rateLimitMax,
    fallback: emulatorLimits.githubRateLimit,
  }),
  githubSecondaryLimit: integerSetting('GITHUB_SIM_SECONDARY_LIMIT', {
    min: 0,
    max: emulatorLimits.secondaryLimitMax,
    fallback: emulatorLimits.githubSecondaryLimit,
  }),
  gitlabRateLimit: integerSetting('GITLAB_SIM_RATE_LIMIT', {
    min: 0,
    max: rateLimitMax,
    fallback: emulatorLimits.gitlabRateLimit,
  }),
  requireToken: secretSetting('REQUIRE_TOKEN'),
  webhookHosts: webhookHostsSetting(),
  requestLog: integerSetting('REQUEST_LOG', {
    min: 0,
    max: emulatorLimits.requestLogMax,
    fallback: emulatorLimits.requestLog,
  }),
  logLevel: logLevelSetting(),
  problemBase: problemBaseSetting(),
};

/** The whole configuration of the emulator, parsed once. A relative `scenariosDir` starts at the app's folder. */
export type EmulatorConfig = ValuesOf<typeof settings>;

function datasetSetting(): Setting<string> {
  return {
    variable: 'SEED_DATASET',
    takes: 'demo, random, empty, or the name of a file in the folder ci of SCENARIOS_DIR, without .json',
    fallback: 'demo',
    parse: (text) => (/^[A-Za-z0-9._-]{1,100}$/.test(text) && !text.startsWith('.') ? text : undefined),
  };
}

function clockSetting(): Setting<'real' | 'virtual' | Date> {
  return {
    variable: 'CLOCK',
    takes: 'real, virtual, or an instant such as 2026-05-04T09:00:00Z',
    fallback: 'real',
    parse: (text) => {
      if (text === 'real' || text === 'virtual') return text;
      const instant = parseInstant(text);
      return instant === undefined ? undefined : new Date(instant);
    },
  };
}

/** The settings table shows the default as text, so the list is split only when it is used. */
function webhookHostsSetting(): Setting<string> {
  return {
    variable: 'WEBHOOK_HOSTS',
    takes: 'hosts with commas between them, such as 127.0.0.1,ci.example.com',
    fallback: '127.0.0.1,localhost,::1',
    parse: (text) => (/^[A-Za-z0-9.:-]+(,[A-Za-z0-9.:-]+)*$/.test(text) ? text.toLowerCase() : undefined),
  };
}

export function readConfig(environment: Readonly<Record<string, string | undefined>>): EmulatorConfig {
  return readSettings(settings, environment);
}
