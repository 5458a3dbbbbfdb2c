import { readSettings, type Setting, SettingsError, type SettingsRecord, type ValuesOf } from '@shiplog/server';
import type { Adapter } from '../adapter.ts';
import { listOf, tokenSetting } from '../settings.ts';
import type { SourceEntry } from './sources.ts';

/** One source as it is to be opened. */
export interface SourceConfig {
  readonly adapter: Adapter;
  readonly id: string;
  /** Before the deployment ids of its events; usually empty. */
  readonly idPrefix: string;
  readonly values: ValuesOf<SettingsRecord>;
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly places: readonly string[];
  readonly budgetPercent: number;
  /** Requests an hour; 0: as the tool tells. */
  readonly quota: number;
}

type Values = ValuesOf<SettingsRecord>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable that an adapter reads. */
export function settingsOf({ settings: own, places, tool }: Adapter): Setting<unknown>[] {
  const { baseUrl, token, budgetPercent, quota } = tool;
  return [baseUrl, token, places.setting, ...Object.values(own), ...(quota ? [quota] : []), budgetPercent];
}

/** What an adapter's own settings are, of the values of all. */
export function valuesOf(adapter: Adapter, values: Values): Values {
  return Object.fromEntries(
    Object.entries(adapter.settings).map(([name, { variable }]) => [name, values[variable]] as const),
  );
}

/**
 * The sources that the environment names, or those of the configuration file in place of them; and one for each webhook
 * whose tool is not polled.
 * @throws SettingsError with one sentence per mistake.
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
  // A webhook alone has a source that nobody polls.
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
 * A source of the configuration file. With a base URL of another origin it does not get what the environment holds for the
 * usual one: secrets go to their own origin only (fetcher §14).
 * @throws SettingsError where its token cannot be read.
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

/** The values of an adapter without its secrets. */
function publicOf(adapter: Adapter, values: Values): Values {
  return Object.fromEntries(
    Object.entries(adapter.settings).map(([name, { secret, fallback }]) => [name, secret ? fallback : values[name]]),
  );
}
