import { developmentKeys, isLoopback, keySetting, type Setting, textSetting } from '@shiplog/server';

/** The control key of a component. If empty, the component does not follow the control stream (fetcher §2). */
export function controlKeySetting(): Setting<string | undefined> {
  const { parse, ...setting } = keySetting('CONTROL_API_KEY', undefined);
  return {
    ...{ ...setting, takes: `${setting.takes}, or empty`, takesEmpty: true },
    parse: (text) => (text === '' ? '' : parse(text)),
  };
}

/** The component's own named key, which it sends in place of both other keys (access.md 9.10). */
export function ownKeySetting(): Setting<string | undefined> {
  return keySetting('COMPONENT_KEY', undefined);
}

export function fileSetting(variable: string): Setting<string | undefined> {
  return { ...textSetting(variable, 'the path of a file', ''), fallback: undefined } as Setting<string | undefined>;
}

export interface ServiceAccess {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly controlApiKey: string | undefined;
  readonly ownKey: string | undefined;
}

/**
 * Development keys are defaults only for a service on this machine. For other services, returns one message per missing
 * key.
 */
export function keyMistakes({ baseUrl, apiKey, controlApiKey, ownKey }: ServiceAccess): string[] {
  const { hostname } = new URL(baseUrl);
  if (ownKey !== undefined || isLocalHost(hostname)) return [];
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

/**
 * Replaces both keys with the component's own key if it has one, and unset keys with development keys. An empty control
 * key becomes `undefined` in every case.
 */
export function componentKeys({ apiKey, controlApiKey, ownKey }: Omit<ServiceAccess, 'baseUrl'>): ComponentKeys {
  const control = controlApiKey === '' ? undefined : (ownKey ?? controlApiKey ?? developmentKeys.control);
  return { apiKey: ownKey ?? apiKey ?? developmentKeys.api, controlApiKey: control };
}

export function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
