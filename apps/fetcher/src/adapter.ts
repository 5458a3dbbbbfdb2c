import type { Clock } from '@shiplog/client';
import type { Setting, SettingsRecord, ValuesOf } from '@shiplog/server';
import type { Logger } from 'pino';
import type { Change, Json, SourceDefaults } from './change.ts';
import type { RawDelivery } from './tool/delivery.ts';
import type { FailingPlace } from './tool/failing.ts';
import type { Guard } from './tool/guards.ts';
import type { Tool, ToolHttp } from './tool/tool-http.ts';

/**
 * One kind of CI/CD tool: its settings, its webhook, and how to open a source. Everything that only this tool needs is in
 * its folder below `adapters/`; `adapters/index.ts` lists the adapters.
 */
export interface Adapter<Settings extends SettingsRecord = SettingsRecord> {
  /** The value of `adapter` in the configuration file, and the default id of its source. */
  readonly kind: string;
  /** Environment variables that only this adapter reads. */
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

/** The webhook of a tool, at `/webhooks/<name>`. */
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
  /** How long an open deployment is looked at. */
  readonly watchMaxAgeMs: number;
  /** The horizon of a backfill: how old a deployment may be that it takes in. */
  readonly backfillMaxAgeMs: number;
  /** How often lists such as `owner/*` are resolved anew. */
  readonly discoveryMs: number;
  /** The newest events per slot that a backfill takes; 0: all. */
  readonly backfillDepth: number;
}

export interface Context<Values = unknown> {
  /** The source's id: the key of its cursor. */
  readonly id: string;
  readonly values: Values;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  /** What to poll, as it was configured: `acme/*`, `!acme/legacy-*`. Empty: it takes deliveries only. */
  readonly places: readonly string[];
  readonly times: SourceTimes;
  /** Calls on the tool; all that one context makes share its budget, its pace and its rests. */
  http(tool: Tool): ToolHttp;
  readonly clock: Clock;
  readonly log: Logger;
  /** Counts a status that the adapter does not understand; each is told in the log once. */
  unknownStatus(status: string): void;
}

/** A part of a cycle. `memory` counts once all changes are settled. */
export interface Step {
  readonly changes: readonly Change[];
  readonly memory: Json;
}

export interface Polling {
  /** Names of the places that are polled; all without it. They are those of the hints of `receive`. */
  readonly only?: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** What a delivery of a webhook says: changes, and the names of places to be polled at once. */
export interface Received {
  readonly changes: readonly Change[];
  readonly hints: readonly string[];
}

export interface Delivery {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body. */
  readonly body: Json;
}

/** What people are told of a source. */
export interface SourceFigures {
  /** Deployments that are open by now. */
  readonly open: number;
  /** Names of places that the tool refuses, in order of their code points. */
  readonly forbidden: readonly string[];
  /** Places of which some part gets no usable answer while the tool gives others, in order of their code points. */
  readonly failing: readonly FailingPlace[];
  /** A sentence for each item of its places that gives nothing to poll although the tool does not refuse it. */
  readonly lacks: readonly string[];
  /** Places whose backfill is done and those where it goes on; null while there is no backfill. */
  readonly backfill: { readonly done: number; readonly left: number } | null;
  /** By the tool's clock, the oldest of the last looks at the places; undefined before the first look at all of them. */
  readonly oldestLookMs: number | undefined;
}

/**
 * One tool, asked through one base URL with one token. It knows deployments and statuses and nothing of services or the
 * log. Its memory is a value that it gets back, also after a restart; what it keeps beside it may be lost at any time.
 *
 * Its calls throw what `ToolHttp` throws.
 */
export interface Source {
  readonly defaults: SourceDefaults;
  /**
   * Memory with a backfill down to `from` in it: the first one, or `memory` with all places to be backfilled once more.
   */
  begin(from: Date, memory?: Json): Json;
  /** Memory of a source for which everything before an instant is dealt with. */
  startingAt(instant: Date): Json;
  /** One cycle. Places that are new in a list of places are put under backfill. */
  poll(memory: Json, polling: Polling): AsyncIterable<Step>;
  /** The rest of a backfill, a page per step; ends when it is done, or where budget or pace leave it nothing. */
  backfill(memory: Json, signal: AbortSignal): AsyncIterable<Step>;
  /** The same memory in at most so many bytes of JSON, at the cost of requests. */
  fit(memory: Json, bytesMax: number): Json;
  figures(memory: Json): SourceFigures;
  /** The text of an artifact of the run of a change, trimmed; empty where there is none for good. */
  artifact?(change: Change, name: string, signal: AbortSignal): Promise<string>;
  /** `undefined` where the delivery concerns no place of this source. */
  receive?(delivery: Delivery, signal: AbortSignal): Promise<Received | undefined>;
}
