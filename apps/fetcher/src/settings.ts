import { fetcherLimits } from '@shiplog/companions';
import { signingKey } from '@shiplog/component';
import { durationMs } from '@shiplog/contract';
import { integerSetting, type Setting, secretSetting } from '@shiplog/server';

/** A setting for a duration as text; `durationMs` parses it. An empty default means the value of another setting. */
export function durationSetting(
  variable: string,
  { min, max, fallback }: { readonly min: string; readonly max: string; readonly fallback: string },
): Setting<string> {
  return {
    variable,
    takes: `a duration from ${min} to ${max}, such as 7d, 12h, 90m or 1.12:00:00`,
    fallback,
    parse: (text) => {
      const ms = durationMs(text);
      return ms !== undefined && ms >= (durationMs(min) ?? 0) && ms <= (durationMs(max) ?? 0) ? text : undefined;
    },
  };
}

/** A setting for a comma-separated list as text; `listOf` splits it. `isItem` checks each item. */
export function listSetting(variable: string, takes: string, isItem: (item: string) => boolean): Setting<string> {
  return { variable, takes, fallback: '', parse: (text) => (listOf(text).every(isItem) ? text : undefined) };
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function tokenSetting(variable: string): Setting<string | undefined> {
  return {
    ...secretSetting(variable),
    takes: 'a token without spaces or line breaks',
    // Visible ASCII characters are safe in a header.
    parse: (text) => (/^[\x21-\x7e]+$/.test(text) ? text : undefined),
  };
}

export const hookSecretMin = 16;

export function hookSecretSetting(variable: string): Setting<string | undefined> {
  return {
    ...secretSetting(variable),
    takes: `a secret of at least ${hookSecretMin} characters`,
    parse: (text) => (text.length >= hookSecretMin ? text : undefined),
  };
}

export const signingTokenForm = `a signing token: text of at least ${hookSecretMin} characters, base64 if it begins with whsec_`;

/** The signing token of a webhook that follows Standard Webhooks. */
export function signingTokenSetting(variable: string): Setting<string | undefined> {
  return {
    ...secretSetting(variable),
    takes: signingTokenForm,
    parse: (text) => (text.length >= hookSecretMin && signingKey(text) !== undefined ? text : undefined),
  };
}

export function budgetPercentSetting(variable: string): Setting<number> {
  return integerSetting(variable, { min: 1, max: 100, fallback: fetcherLimits.budgetPercent });
}
