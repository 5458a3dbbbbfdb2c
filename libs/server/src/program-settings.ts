import { patterns } from '@shiplog/contract';
import { choiceSetting, integerSetting, type Setting, secretSetting, textSetting } from './settings.ts';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function portSetting(fallback: number, variable = 'PORT'): Setting<number> {
  return integerSetting(variable, { min: 0, max: 65535, fallback });
}

/**
 * `localhost` means 127.0.0.1, because Fastify would open a second server without our limits for a name with two
 * addresses.
 */
export function hostSetting(): Setting<string> {
  const { parse, ...setting } = textSetting('HOST', 'an address to listen on', '127.0.0.1');
  return { ...setting, parse: (text) => parse(text === 'localhost' ? setting.fallback : text) };
}

export function logLevelSetting(): Setting<(typeof logLevels)[number]> {
  return choiceSetting('LOG_LEVEL', logLevels, 'info');
}

/** The prefix of problems' `type` (reading 8.4). */
export function problemBaseSetting(): Setting<string> {
  return {
    variable: 'PROBLEM_BASE',
    takes: 'a path such as /problems or a URL such as https://shiplog.example.com/problems, without a trailing slash',
    fallback: '/problems',
    parse: (text) =>
      /^(https?:\/\/[^/?#\s]+)?(\/[A-Za-z0-9._~-]+)+$/.test(text) &&
      !/^(https?:\/\/[^/]+)?\/(api|docs)(\/|$)/.test(text)
        ? text
        : undefined,
  };
}

/** The base address of another program, without a trailing slash. */
export function urlSetting(variable: string, fallback: string): Setting<string> {
  const takes = `a URL without credentials, query or fragment, such as ${fallback}`;
  return { variable, takes, fallback, parse: baseUrlOf };
}

/** The URL without a trailing slash; `undefined` if it isn't a plain http(s) URL. */
export function baseUrlOf(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@]+(\/[^?#@]*)?$/i.test(text) || /\s/.test(text) || !URL.canParse(text)) return undefined;
  return text.replace(/\/+$/, '');
}

/** With a key that is invalid in a header, every call would fail with an error that contains the key. */
export function keySetting<Fallback extends string | undefined>(
  variable: string,
  fallback: Fallback,
): Setting<string | Fallback> {
  const { parse, ...secret } = secretSetting(variable);
  return {
    ...secret,
    takes: 'printable ASCII without leading or trailing spaces',
    fallback,
    parse: (text) => (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? parse(text) : undefined),
  };
}

/** A key that callers must send. An empty value is an error and doesn't count as absent (reading 2.2). */
export function guardKeySetting(variable: string): Setting<string | undefined> {
  return { ...secretSetting(variable), takesEmpty: true };
}

export function componentIdSetting(fallback: string): Setting<string> {
  const pattern = new RegExp(patterns.componentId);
  return {
    variable: 'COMPONENT_ID',
    takes: 'at most 128 lower-case letters, digits, dots and hyphens, such as demo-driver',
    fallback,
    parse: (text) => (pattern.test(text) ? text : undefined),
  };
}

/** Only addresses that other machines can't reach. Names are not resolved, because they may point to any address. */
export function isLoopback(host: string): boolean {
  return host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
