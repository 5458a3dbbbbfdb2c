import type { Clock } from '@shiplog/client';
import type { Setting, SettingsRecord, ValuesOf } from '@shiplog/server';
import type { Logger } from 'pino';
import type { Change, Json, SourceDefaults } from './change.ts';
import type { RawDelivery } from './tool/delivery.ts';
import type { Guard } from './tool/guards.ts';
import type { FailingPlace } from './tool/rounds.ts';
import type { Tool, ToolHttp } from './tool/tool-http.ts';

/**
 * One kind of CI/CD tool: its settings, its webhook, and how to open a source. Everything specific to the tool is in
 * its folder below `adapters/`; `adapters/index.ts` lists the adapters.
 */
export interface Adapter<Settings extends SettingsRecord = SettingsRecord> {
  /** The value of `adapter` in the configuration file, and the default id of its source. */
  readonly kind: string;
  readonly settings: Settings;
  /** The setting that lists the places to poll, and its key in the configuration file, such as `repos`. */
  readonly places: { readonly key: string; readonly setting: Setting<string> };
  /** The settings for the tool's address, its token and the fetcher's share of the quota. */
  readonly tool: {
    readonly baseUrl: Setting<string>;
    readonly token: Setting<string | undefined>;
    readonly budgetPercent: Setting<number>;
    /** Requests per hour; 0 means the tool's own limit. */
    readonly quota?: Setting<number>;
  };
  readonly webhook?: ToolWebhook<ValuesOf<Settings>>;
  /** Describes the error if the settings contradict each other; otherwise `undefined`. */
  mistake?(values: ValuesOf<Settings>): string | undefined;
  open(context: Context<ValuesOf<Settings>>): Source;
}

export interface ToolWebhook<Values = unknown> {
  readonly name: string;
  /**
   * A delivery is authenticated if any guard accepts it; without guards the webhook doesn't exist. @param now in
   * milliseconds, by the fetcher's clock
   */
  guards(values: Values, now: () => number): readonly Guard[];
  /** A JSON Pointer to the repository name in a delivery. */
  readonly placePointer: string;
  /** The header, in lower case, with the id of a repeated delivery, in addition to the standard headers. */
  readonly idHeader?: string;
  /** Reads a body that isn't always plain JSON. @throws Problem */
  readBody?(delivery: RawDelivery): Json;
  /** The issue in a delivery; `undefined` for other events. @throws ShapeFault if the body doesn't match its event */
  readIssue?(delivery: Delivery): Issue | undefined;
}

/** An issue after a change. */
export interface Issue {
  /** `owner/name`, as the tool spells it. */
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly labels: readonly string[];
  /** The labels that this change removed; all its labels if the issue itself was removed. */
  readonly unlabeled: readonly string[];
  readonly isOpen: boolean;
  /** When it was opened, or when this change reopened or labeled it. RFC 3339. */
  readonly openedAt: string;
  readonly changedAt: string;
}

/** Checks the types of an adapter written as an object literal. */
export function defineAdapter<Settings extends SettingsRecord>(adapter: Adapter<Settings>): Adapter {
  return adapter as unknown as Adapter;
}

export interface SourceTimes {
  readonly watchMaxAgeMs: number;
  /** The maximum age of a deployment that a backfill reads. */
  readonly backfillMaxAgeMs: number;
  /** How often lists such as `owner/*` are refreshed. */
  readonly discoveryMs: number;
  /** How many of the newest events a backfill reads per slot; 0 means all. */
  readonly backfillDepth: number;
}

export interface Context<Values = unknown> {
  /** The source's id, which is also the key of its cursor. */
  readonly id: string;
  readonly values: Values;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** The places to poll, as configured: `acme/*`, `!acme/legacy-*`. If empty, the source only receives deliveries. */
  readonly places: readonly string[];
  readonly times: SourceTimes;
  /** Sends requests to the tool. All callers of one context share its budget, pace and pauses. */
  http(tool: Tool): ToolHttp;
  readonly clock: Clock;
  readonly log: Logger;
  unknownStatus(status: string): void;
}

/** Part of a cycle. `memory` becomes valid once all changes are settled. */
export interface Step {
  readonly changes: readonly Change[];
  readonly memory: Json;
}

export interface Polling {
  /** The places to poll, from the hints of `receive`; if omitted, all. */
  readonly only?: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** The content of a webhook delivery: changes, and the names of places to poll now. */
export interface Received {
  readonly changes: readonly Change[];
  readonly hints: readonly string[];
}

export interface Delivery {
  /** The header names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Json;
}

export interface SourceFigures {
  readonly open: number;
  /** The names of inaccessible places, sorted by code point. */
  readonly forbidden: readonly string[];
  /** Places without a usable response although other places have one, sorted by code point. */
  readonly failing: readonly FailingPlace[];
  /** A sentence for each configured place that is accessible but empty. */
  readonly warnings: readonly string[];
  /** How many places the backfill has finished and how many are left; null without a backfill. */
  readonly backfill: { readonly done: number; readonly left: number } | null;
  /**
   * When the least recently polled place was polled, by the tool's clock; undefined until all places have been polled.
   */
  readonly oldestPollMs: number | undefined;
}

/**
 * One tool with one base URL and one token. A source reads deployments and statuses, but knows neither services nor the
 * log. The caller stores its memory across restarts; anything else that it keeps may be lost at any time. Its methods
 * throw what `ToolHttp` throws.
 */
export interface Source {
  readonly defaults: SourceDefaults;
  /** Memory with a backfill down to `from`: the initial memory, or `memory` with a new backfill of all places. */
  begin(from: Date, memory?: Json): Json;
  /** Memory in which everything before an instant counts as processed. */
  startingAt(instant: Date): Json;
  /** Runs one cycle. Backfills places that were added to a list. */
  poll(memory: Json, polling: Polling): AsyncIterable<Step>;
  /** Continues the backfill, one page per step, until it is complete or budget or pace leave no room. */
  backfill(memory: Json, signal: AbortSignal): AsyncIterable<Step>;
  /** Shortens the memory to a number of bytes of JSON; the source then needs more requests. */
  fit(memory: Json, bytesMax: number): Json;
  figures(memory: Json): SourceFigures;
  /** The trimmed text of an artifact of the change's run; empty if it doesn't exist. */
  artifact?(change: Change, name: string, signal: AbortSignal): Promise<string>;
  /** `undefined` if the delivery doesn't concern a place of this source. */
  receive?(delivery: Delivery, signal: AbortSignal): Promise<Received | undefined>;
}
