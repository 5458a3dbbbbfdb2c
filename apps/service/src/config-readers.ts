import { isSafeUrl } from '@shiplog/access';
import {
  choiceSetting,
  networksSetting,
  type Setting,
  type SettingsRule,
  secretSetting,
  textSetting,
} from '@shiplog/server';

const optional = <Value>(setting: Setting<Value>): Setting<Value | undefined> => ({ ...setting, fallback: undefined });

/** Who may read, and how readers sign in (access.md 5). */
export const readerSettings = {
  readers: choiceSetting('READERS', ['open', 'proxy', 'oidc'], 'open'),
  /** The address under which people and tools reach the service. */
  publicUrl: publicUrlSetting(),
  readerHeader: headerNameSetting('READER_HEADER'),
  readerProxies: networksSetting('READER_PROXIES'),
  oidcIssuer: issuerUrlSetting('OIDC_ISSUER'),
  oidcClientId: optional(textSetting('OIDC_CLIENT_ID', 'the id of this client at the provider', '')),
  oidcClientSecret: secretSetting('OIDC_CLIENT_SECRET'),
  oidcScopes: scopesSetting('OIDC_SCOPES', 'openid email profile'),
  oidcAllow: peopleSetting('OIDC_ALLOW'),
  oidcGroupsClaim: textSetting('OIDC_GROUPS_CLAIM', 'the name of a claim', 'groups'),
  sessionHours: hoursSetting('SESSION_HOURS', { min: 0.005, max: 720, fallback: 12 }),
  badges: choiceSetting('BADGES', ['guarded', 'open'], 'guarded'),
  metrics: choiceSetting('METRICS', ['guarded', 'open'], 'guarded'),
};

/** The settings that each value of `READERS` needs. */
export const readersRule: SettingsRule<typeof readerSettings> = {
  of: ['readers', 'publicUrl', 'readerHeader', 'readerProxies', 'oidcIssuer', 'oidcClientId', 'oidcClientSecret'],
  mistake: (values) => {
    const needed = {
      open: {},
      proxy: {
        PUBLIC_URL: values.publicUrl,
        READER_HEADER: values.readerHeader,
        READER_PROXIES: values.readerProxies?.length ? values.readerProxies : undefined,
      },
      oidc: {
        PUBLIC_URL: values.publicUrl,
        OIDC_ISSUER: values.oidcIssuer,
        OIDC_CLIENT_ID: values.oidcClientId,
        OIDC_CLIENT_SECRET: values.oidcClientSecret,
      },
    }[values.readers];
    const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
    return missing.length === 0 ? undefined : `READERS is ${values.readers}, which also needs ${missing.join(', ')}.`;
  },
};

/** A proxy may add a path (access.md 9.19). */
function publicUrlSetting(): Setting<string | undefined> {
  return {
    variable: 'PUBLIC_URL',
    takes: 'an https URL such as https://shiplog.example or https://tools.example/shiplog; http is allowed on loopback',
    fallback: undefined,
    parse: (text) => {
      if (!isSafeUrl(text)) return undefined;
      const { username, password } = new URL(text);
      return /[?#\s]/.test(text) || username || password ? undefined : text.replace(/\/+$/, '');
    },
  };
}

function issuerUrlSetting(variable: string): Setting<string | undefined> {
  return {
    variable,
    takes: 'the https URL of the identity provider, as in the claim "iss" of its tokens; http is allowed on loopback',
    fallback: undefined,
    parse: (text) => (isSafeUrl(text) ? text : undefined),
  };
}

function headerNameSetting(variable: string): Setting<string | undefined> {
  return {
    variable,
    takes: 'the name of a header such as X-Forwarded-Email',
    fallback: undefined,
    parse: (text) => (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text) ? text.toLowerCase() : undefined),
  };
}

/** Without `openid`, the provider would send no ID token. */
function scopesSetting(variable: string, fallback: string): Setting<string> {
  return {
    variable,
    takes: `scopes separated by spaces, with openid among them, such as ${fallback}`,
    fallback,
    parse: (text) => {
      const scopes = text.split(' ').filter((scope) => scope !== '');
      return scopes.includes('openid') ? scopes.join(' ') : undefined;
    },
  };
}

/** An entry that no one can match is an error; so is a list without entries, which would admit everyone. */
function peopleSetting(variable: string): Setting<readonly string[]> {
  return {
    variable,
    takes:
      'comma-separated e-mail domains, addresses and groups, such as @acme.example,eve@other.example,group:deployers',
    fallback: [],
    parse: (text) => {
      const people = text.split(',').map((part) => part.trim());
      return people.every((person) => /^group:.|^[^@\s]*@[^@\s]+$/.test(person)) ? people : undefined;
    },
  };
}

export function listSetting(variable: string, what: string): Setting<readonly string[]> {
  return {
    variable,
    takesEmpty: true,
    takes: `comma-separated, ${what}`,
    fallback: [],
    parse: (text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''),
  };
}

function hoursSetting(variable: string, range: { min: number; max: number; fallback: number }): Setting<number> {
  return {
    variable,
    takes: `a number of hours from ${range.min} to ${range.max}`,
    fallback: range.fallback,
    parse: (text) => {
      const hours = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
      return hours >= range.min && hours <= range.max ? hours : undefined;
    },
  };
}
