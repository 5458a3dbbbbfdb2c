import { readFileSync } from 'node:fs';

/** Thrown for invalid settings. The message has one sentence per error. */
export class SettingsError extends Error {}

export interface Setting<Value> {
  readonly variable: string;
  /** The accepted values, as in: PORT is "x"; it must be <takes>. */
  readonly takes: string;
  readonly fallback: Value;
  /** Returns `undefined` if the text is invalid. */
  readonly parse: (text: string) => Value | undefined;
  /** What is wrong with an invalid text, as in: PORT is "x"; <mistake>. By default, it names the accepted values. */
  readonly mistake?: (text: string) => string | undefined;
  /** A secret: it can also be read from the file named by `<variable>_FILE`, and no message contains it. */
  readonly secret?: boolean;
  /**
   * Whether an empty value is valid. For other settings, an empty value counts as unset, because CI systems and compose
   * files pass unset variables as empty.
   */
  readonly takesEmpty?: boolean;
}

export type SettingsRecord = Readonly<Record<string, Setting<unknown>>>;
export type ValuesOf<Settings extends SettingsRecord> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer Value> ? Value : never;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A rule about several settings, checked only if all of them are valid. */
export interface SettingsRule<Settings extends SettingsRecord> {
  readonly of: readonly (keyof Settings)[];
  readonly mistake: (values: ValuesOf<Settings>) => string | undefined;
}

/** @throws SettingsError with one sentence per error. */
export function readSettings<Settings extends SettingsRecord>(
  settings: Settings,
  environment: Environment,
  rules: readonly SettingsRule<Settings>[] = [],
): ValuesOf<Settings> {
  const mistakes: string[] = [];
  const faulty = new Set<keyof Settings>();
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const before = mistakes.length;
    const text = settingText(setting, environment, mistakes);
    const value = text === undefined ? setting.fallback : setting.parse(text);
    if (value === undefined && text !== undefined) {
      const got = setting.secret ? 'not acceptable' : withoutCredentials(JSON.stringify(text));
      const mistake = setting.mistake?.(text) ?? `it must be ${setting.takes}`;
      mistakes.push(`${setting.variable} is ${got}; ${mistake}.`);
    }
    values[name] = value;
    if (mistakes.length > before) faulty.add(name);
  }
  for (const rule of rules) {
    if (rule.of.some((name) => faulty.has(name))) continue;
    const mistake = rule.mistake(values as ValuesOf<Settings>);
    if (mistake !== undefined) mistakes.push(mistake);
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes.join('\n'));
  return values as ValuesOf<Settings>;
}

/** An invalid URL may contain a user name and a password. Messages must not contain these. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/.*@/g, '//…@');
}

function settingText(setting: Setting<unknown>, environment: Environment, mistakes: string[]): string | undefined {
  const given = environment[setting.variable];
  const text = setting.takesEmpty ? given : given || undefined;
  if (!setting.secret) return text;
  const fileVariable = `${setting.variable}_FILE`;
  const file = environment[fileVariable] || undefined;
  if (file === undefined) return text;
  if (text !== undefined) {
    mistakes.push(`${setting.variable} and ${fileVariable} are both set; set one of them.`);
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A value that doesn't look like a path may be the secret itself.
    const named = /^[./]/.test(file) ? `is ${JSON.stringify(file)}, which cannot` : 'names a file that cannot';
    mistakes.push(`${fileVariable} ${named} be read (${code}); it must be the path of a file.`);
    return undefined;
  }
}

export function integerSetting(
  variable: string,
  range: { min: number; max: number; fallback: number },
): Setting<number> {
  return {
    variable,
    takes: `an integer from ${range.min} to ${range.max}`,
    fallback: range.fallback,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= range.min && value <= range.max ? value : undefined;
    },
  };
}

export function textSetting(variable: string, takes: string, fallback: string): Setting<string> {
  return { variable, takes, fallback, parse: (text) => (text === '' ? undefined : text) };
}

export function choiceSetting<const Choice extends string>(
  variable: string,
  choices: readonly Choice[],
  fallback: Choice,
): Setting<Choice> {
  const parse = (text: string) => choices.find((choice) => choice === text);
  return { variable, takes: `one of ${choices.join(', ')}`, fallback, parse };
}

export function secretSetting(variable: string): Setting<string | undefined> {
  return { ...textSetting(variable, 'a non-empty value', ''), fallback: undefined, secret: true };
}
