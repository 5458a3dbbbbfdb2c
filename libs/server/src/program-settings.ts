import { choiceSetting, integerSetting, type Setting, textSetting } from './settings.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function portSetting(fallback: number): Setting<number> {
  return integerSetting('PORT', { min: 0, max: 65535, fallback });
}

/**
 * `localhost` means 127.0.0.1 alone: for a name of two addresses fastify opens a second server, which has none of the
 * limits and refusals that `http.ts` gives the first.
 */
export function hostSetting(): Setting<string> {
  const { parse, ...setting } = textSetting('HOST', 'an address to listen on', '127.0.0.1');
  return { ...setting, parse: (text) => parse(text === 'localhost' ? setting.fallback : text) };
}

export function logLevelSetting(): Setting<(typeof logLevels)[number]> {
  return choiceSetting('LOG_LEVEL', logLevels, 'info');
}

/** What the `type` of problems begins with (reading 8.4). */
export function problemBaseSetting(): Setting<string> {
  return {
    variable: 'PROBLEM_BASE',
    takes: 'a path such as /problems or a URL such as https://shiplog.example.com/problems, without a slash at its end',
    fallback: '/problems',
    parse: (text) =>
      /^(https?:\/\/[^/?#\s]+)?(\/[A-Za-z0-9._~-]+)+$/.test(text) &&
      !/^(https?:\/\/[^/]+)?\/(api|docs)(\/|$)/.test(text)
        ? text
        : undefined,
  };
}
