import { developmentKeys, isLoopback, keySetting, type Setting, textSetting } from '@shiplog/server';

/** The control key of a component. If empty, the component does not follow the control stream (fetcher §2). */
export function controlKeySetting(): Setting<string | undefined> {
  const { parse, ...setting } = keySetting('CONTROL_API_KEY', undefined);
  return {
    ...{ ...setting, takes: `${setting.takes}, or empty`, takesEmpty: true },
    parse: (text) => (text === '' ? '' : parse(text)),
  };
}

export function fileSetting(variable: string): Setting<string | undefined> {
  return { ...textSetting(variable, 'the path of a file', ''), fallback: undefined } as Setting<string | undefined>;
}

export interface ServiceAccess {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly controlApiKey: string | undefined;
}

/**
 * Development keys are defaults only for a service on this machine. For other services, returns one message per missing
 * key.
 */
export function keyMistakes({ baseUrl, apiKey, controlApiKey }: ServiceAccess): string[] {
  const { hostname } = new URL(baseUrl);
  if (isLocalHost(hostname)) return [];
  const missing = [
    ...(apiKey === undefined ? ["API_KEY to the service's API key"] : []),
    ...(controlApiKey === undefined ? ['CONTROL_API_KEY to its control key, or to an empty value to skip resets'] : []),
  ];
  return missing.map((what) => `DASHBOARD_API_BASE_URL names ${hostname}, which isn't this machine; set ${what}.`);
}

export interface ComponentKeys {
  readonly apiKey: string;
  /** If `undefined`, the component does not follow the control stream. */
  readonly controlApiKey: string | undefined;
}

/** Replaces unset keys by development keys, and an empty control key by `undefined`. */
export function componentKeys({ apiKey, controlApiKey }: Omit<ServiceAccess, 'baseUrl'>): ComponentKeys {
  return {
    apiKey: apiKey ?? developmentKeys.api,
    controlApiKey: (controlApiKey ?? developmentKeys.control) || undefined,
  };
}

export function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
