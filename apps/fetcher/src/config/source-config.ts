import { readSettings, type Setting, SettingsError, type SettingsRecord, type ValuesOf } from '@shiplog/server';
import type { Adapter } from '../adapter.ts';
import { listOf, tokenSetting } from '../settings.ts';
import type { SourceEntry } from './sources.ts';

export interface SourceConfig {
  readonly adapter: Adapter;
  readonly id: string;
  /** The prefix of the deployment ids in its events; usually empty. */
  readonly idPrefix: string;
  readonly values: ValuesOf<SettingsRecord>;
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly places: readonly string[];
  readonly budgetPercent: number;
  /** Requests per hour; 0: the tool's own limit. */
  readonly quota: number;
}

type Values = ValuesOf<SettingsRecord>;
type Environment = Readonly<Record<string, string | undefined>>;

export function settingsOf({ settings: own, places, tool }: Adapter): Setting<unknown>[] {
  const { baseUrl, token, budgetPercent, quota } = tool;
  return [baseUrl, token, places.setting, ...Object.values(own), ...(quota ? [quota] : []), budgetPercent];
}

export function valuesOf(adapter: Adapter, values: Values): Values {
  return Object.fromEntries(
    Object.entries(adapter.settings).map(([name, { variable }]) => [name, values[variable]] as const),
  );
}

/**
 * The sources in the configuration file or, without any, those in environment variables; plus one for each webhook of a
 * tool that isn't polled. @throws SettingsError with one sentence per error.
 */
export function sourcesOf(
  adapters: readonly Adapter[],
  values: Values,
  entries: readonly SourceEntry[] | undefined,
  environment: Environment,
): SourceConfig[] {
  const mistakes: string[] = [];
  const configured = adapters.flatMap((adapter) => {
    const places = listOf(String(values[adapter.places.setting.variable]));
    if (entries && places.length > 0) {
      mistakes.push(`${adapter.places.setting.variable} is set and FETCHER_CONFIG lists sources. Use one of them.`);
    }
    return places.length > 0 ? [sourceOf(adapter, values, { id: adapter.kind, places })] : [];
  });
  const listed = (entries ?? []).flatMap((entry) => {
    const adapter = adapters.find(({ kind }) => kind === entry.adapter);
    return adapter ? [listedSource(adapter, values, entry, environment)] : [];
  });
  if (mistakes.length > 0) throw new SettingsError(mistakes.join('\n'));
  const polled = [...configured, ...listed];
  // A webhook without polling gets a source that isn't polled.
  const delivered = adapters
    .filter((adapter) => hasWebhook(adapter, values))
    .filter(({ kind }) => !polled.some(({ adapter }) => adapter.kind === kind))
    .map((adapter) => sourceOf(adapter, values, { id: adapter.kind, places: [] }));
  return [...polled, ...delivered];
}

function hasWebhook(adapter: Adapter, values: Values): boolean {
  return (adapter.webhook?.guards(valuesOf(adapter, values), () => 0).length ?? 0) > 0;
}

function sourceOf(
  adapter: Adapter,
  values: Values,
  own: Pick<SourceConfig, 'id' | 'places'> & Partial<SourceConfig>,
): SourceConfig {
  const { baseUrl, token, budgetPercent, quota } = adapter.tool;
  return {
    adapter,
    idPrefix: '',
    values: valuesOf(adapter, values),
    baseUrl: String(values[baseUrl.variable]),
    token: values[token.variable] as string | undefined,
    budgetPercent: Number(values[budgetPercent.variable]),
    quota: quota ? Number(values[quota.variable]) : 0,
    ...own,
  };
}

/**
 * A source in the configuration file. If its base URL has another origin, it doesn't get the secrets in environment
 * variables: a secret is only sent to its own origin (fetcher §14). @throws SettingsError if its token isn't set.
 */
function listedSource(adapter: Adapter, values: Values, entry: SourceEntry, environment: Environment): SourceConfig {
  const { id, idPrefix, places, tokenEnv } = entry;
  const usual = sourceOf(adapter, values, { id, idPrefix, places });
  const { baseUrl = usual.baseUrl } = entry;
  const isUsual = new URL(baseUrl).origin === new URL(usual.baseUrl).origin;
  const own =
    isUsual && tokenEnv === undefined ? usual : { ...usual, token: undefined, values: publicOf(adapter, usual.values) };
  if (tokenEnv === undefined) return { ...own, baseUrl };
  const { token } = readSettings({ token: tokenSetting(tokenEnv) }, environment);
  if (token === undefined)
    throw new SettingsError(`FETCHER_CONFIG, line ${entry.line}: ${tokenEnv} is not set. Set it to a token.`);
  return { ...own, baseUrl, token };
}

function publicOf(adapter: Adapter, values: Values): Values {
  return Object.fromEntries(
    Object.entries(adapter.settings).map(([name, { secret, fallback }]) => [name, secret ? fallback : values[name]]),
  );
}
