import type { Clock } from '@shiplog/client';
import type { Setting, SettingsRecord, ValuesOf } from '@shiplog/server';
import type { Logger } from 'pino';
import type { Change, Json, SourceDefaults } from './change.ts';
import type { RawDelivery } from './tool/delivery.ts';
import type { Guard } from './tool/guards.ts';
import type { FailingPlace } from './tool/rounds.ts';
import type { Tool, ToolHttp } from './tool/tool-http.ts';

/**
 * One kind of CI/CD tool: its settings, its webhook, and how to open a source. Everything that only this tool needs is in
 * its folder below `adapters/`; `adapters/index.ts` lists the adapters.
 */
export interface Adapter<Settings extends SettingsRecord = SettingsRecord> {
  /** The value of `adapter` in the configuration file, and the default id of its source. */
  readonly kind: string;
  readonly settings: Settings;
  /** The setting that lists what to poll, and its key in the configuration file: `repos`. */
  readonly places: { readonly key: string; readonly setting: Setting<string> };
  /** The settings of the tool's address, its token and its share of the quota. */
  readonly tool: {
    readonly baseUrl: Setting<string>;
    readonly token: Setting<string | undefined>;
    readonly budgetPercent: Setting<number>;
    /** Requests per hour; 0: the tool's own limit. */
    readonly quota?: Setting<number>;
  };
  readonly webhook?: ToolWebhook<ValuesOf<Settings>>;
  /** What is wrong with its settings together, if anything. */
  mistake?(values: ValuesOf<Settings>): string | undefined;
  open(context: Context<ValuesOf<Settings>>): Source;
}

export interface ToolWebhook<Values = unknown> {
  readonly name: string;
  /**
   * Any of them authenticates a delivery; without one the webhook doesn't exist.
   * @param now in milliseconds, by the fetcher's clock
   */
  guards(values: Values, now: () => number): readonly Guard[];
  /** A JSON Pointer to the name of the repository in a delivery. */
  readonly placePointer: string;
  /** The header, in lower case, that identifies a repeated delivery, besides the standard ones. */
  readonly idHeader?: string;
  /** If the body isn't always plain JSON. @throws Problem */
  readBody?(delivery: RawDelivery): Json;
}

/** Checks the types of an adapter that is written as a literal. */
export function defineAdapter<Settings extends SettingsRecord>(adapter: Adapter<Settings>): Adapter {
  return adapter as unknown as Adapter;
}

export interface SourceTimes {
  readonly watchMaxAgeMs: number;
  /** The horizon of a backfill: the greatest age of a deployment that it reads. */
  readonly backfillMaxAgeMs: number;
  /** How often lists such as `owner/*` are refreshed. */
  readonly discoveryMs: number;
  /** How many of the newest events a backfill reads per slot; 0: all. */
  readonly backfillDepth: number;
}

export interface Context<Values = unknown> {
  /** The source's id, the key of its cursor. */
  readonly id: string;
  readonly values: Values;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** What to poll, as configured: `acme/*`, `!acme/legacy-*`. Empty: it only receives deliveries. */
  readonly places: readonly string[];
  readonly times: SourceTimes;
  /** Requests to the tool; all callers of one context share its budget, pace and pauses. */
  http(tool: Tool): ToolHttp;
  readonly clock: Clock;
  readonly log: Logger;
  unknownStatus(status: string): void;
}

/** Part of a cycle. `memory` counts once all changes are settled. */
export interface Step {
  readonly changes: readonly Change[];
  readonly memory: Json;
}

export interface Polling {
  /** The places to poll, from the hints of `receive`; all if omitted. */
  readonly only?: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** The content of a webhook delivery: changes, and the names of places to poll now. */
export interface Received {
  readonly changes: readonly Change[];
  readonly hints: readonly string[];
}

export interface Delivery {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Json;
}

export interface SourceFigures {
  readonly open: number;
  /** Names of places without access, by code point. */
  readonly forbidden: readonly string[];
  /** Places without a usable answer although the tool answers for others, by code point. */
  readonly failing: readonly FailingPlace[];
  /** A sentence for each configured place that yields nothing to poll although it is accessible. */
  readonly warnings: readonly string[];
  /** How many places the backfill has finished and has left; null without a backfill. */
  readonly backfill: { readonly done: number; readonly left: number } | null;
  /** When the least recently polled place was polled, by the tool's clock; undefined until all were polled. */
  readonly oldestPollMs: number | undefined;
}

/**
 * One tool with one base URL and one token. It knows deployments and statuses, but neither services nor the log. The
 * caller stores its memory, across restarts too; anything else that it keeps may be lost at any time.
 *
 * Its methods throw what `ToolHttp` throws.
 */
export interface Source {
  readonly defaults: SourceDefaults;
  /** Memory with a backfill down to `from`: a first one, or `memory` with all places to backfill again. */
  begin(from: Date, memory?: Json): Json;
  /** Memory for which everything before an instant has been processed. */
  startingAt(instant: Date): Json;
  /** One cycle. Places that appear in a list are backfilled. */
  poll(memory: Json, polling: Polling): AsyncIterable<Step>;
  /** The remaining backfill, one page per step; ends when it is done or when budget or pace leave no room. */
  backfill(memory: Json, signal: AbortSignal): AsyncIterable<Step>;
  /** Shortens a memory to a number of bytes of JSON, at the cost of requests. */
  fit(memory: Json, bytesMax: number): Json;
  figures(memory: Json): SourceFigures;
  /** The trimmed text of an artifact of the change's run; empty if it doesn't exist. */
  artifact?(change: Change, name: string, signal: AbortSignal): Promise<string>;
  /** `undefined` if the delivery is about no place of this source. */
  receive?(delivery: Delivery, signal: AbortSignal): Promise<Received | undefined>;
}
