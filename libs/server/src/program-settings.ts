import { choiceSetting, integerSetting, type Setting, textSetting } from './settings.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function portSetting(fallback: number): Setting<number> {
  return integerSetting('PORT', { min: 0, max: 65535, fallback });
}

export function hostSetting(): Setting<string> {
  return textSetting('HOST', 'an address to listen on', '127.0.0.1');
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
