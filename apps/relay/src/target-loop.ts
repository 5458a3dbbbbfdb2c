import { createHash } from 'node:crypto';
import type { Client, Clock } from '@shiplog/client';
import type { TargetHealth } from '@shiplog/companions';
import type { Reports } from '@shiplog/component';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Logger } from 'pino';
import type { TargetConfig } from './config/relay-file.ts';
import { type DeliveryEffect, type DeliveryEventName, type DeliveryState, deliveryTable } from './domain/delivery.ts';
import { arrivalMs, type EventMessage, eventMessage, isHistory, linked, type Message } from './domain/message.ts';
import type { NewsHead, NewsMessage } from './domain/news.ts';
import { type Facts, matchesNews, matchesRules, matchesStuck, type NameFacts } from './domain/rule.ts';
import type { RelayMetrics } from './metrics.ts';
import { Progress } from './progress.ts';
import { NotSent, type Sender } from './sender/sender.ts';
import { TargetState } from './target-state.ts';
import type { Target } from './targets/target.ts';

export interface TargetLoopParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reports: Pick<Reports, 'failed' | 'recovered'>;
  readonly metrics: RelayMetrics;
  readonly sender: Sender;
  /** The public URL of Shiplog; if `undefined`, messages have no link to it. */
  readonly publicUrl: string | undefined;
}

const retryMinMs = 1000;
const retryMaxMs = 5 * 60_000;
/** Longer than any reasonable wait, and less than a timer's maximum. */
const retryAfterMaxMs = 86_400_000;
/** If no event arrives for this long, no more old events are expected. */
const catchUpMs = 10_000;

type DeliveryEvent =
  | { readonly name: Exclude<DeliveryEventName, 'early' | 'behind' | 'due' | 'delivered' | 'dropped' | 'failed'> }
  | { readonly name: 'early' | 'behind'; readonly waitMs: number }
  | { readonly name: 'due' | 'delivered'; readonly message: Message }
  | { readonly name: 'dropped' | 'failed'; readonly message: Message; readonly failure: NotSent };

/**
 * One target: processes the log's events and delivers its messages by the table in `domain/delivery.ts`. Its state is
 * stored after each message, so that a restart continues from there. Delivery is in order and at least once.
 */
export class TargetLoop {
  readonly config: TargetConfig;
  readonly #target: Target;
  readonly #parts: TargetLoopParts;
  readonly #log: Logger;
  readonly #health: TargetState;
  readonly #progress: Progress;
  #state: DeliveryState = 'stopped';
  /** Consecutive failures of the first waiting message. */
  #failures = 0;
  #timer = new AbortController();
  /** The target's position in the log when the timer was set. */
  #waitingAt = '';
  #attempt = new AbortController();
  #stopped = Promise.resolve();
  #end: () => void = () => undefined;

  constructor(config: TargetConfig, parts: TargetLoopParts) {
    const { clock, logger, reports, client } = parts;
    this.config = config;
    this.#parts = parts;
    this.#target = config.target;
    const { name } = this.#target;
    this.#log = logger.child({ target: name });
    this.#progress = new Progress({ client, clock, log: this.#log, target: name, bounds: config });
    const onBad = (sentence: string) => {
      this.#log.warn({ reason: sentence }, 'the target did not accept a message');
      reports.failed(name, sentence);
    };
    this.#health = new TargetState(clock, onBad, () => {
      this.#log.info('the target accepts messages again');
      reports.recovered(name);
    });
  }

  get seen(): string {
    return this.#progress.seen;
  }

  get health(): TargetHealth {
    const { name, type } = this.#target;
    return { name, type, ...this.#health.health, waiting: this.#progress.backlog.count };
  }

  get isBad(): boolean {
    return this.#health.isBad;
  }

  /** Reads the stored state; a target without one begins at the head. @throws if the service is unreachable. */
  begin(head: () => Promise<string>, signal: AbortSignal): Promise<void> {
    return this.#progress.load(head, signal);
  }

  /** The relay follows the log from `seen`. The log contains at least the events up to this id. */
  expect(head: string): void {
    this.#progress.expect(head);
  }

  /** Processes the log's next event. @throws if the service is unreachable; the event then counts as unprocessed. */
  async take(event: DeploymentEvent, facts: Facts): Promise<void> {
    if (event.id <= this.seen) return;
    const isRecent = !isHistory(event, this.config.maxAgeMs) && (this.#target.only?.includes(event.status) ?? true);
    const isMatched = isRecent && (await matchesRules(this.config.rules, event, this.#target.defaultStatuses, facts));
    const team = isMatched ? await facts.team() : '';
    const isRecovery = isMatched && event.status === 'success' && (await facts.isRecovery());
    const message = isMatched ? eventMessage(event, team, { isRecovery }) : undefined;
    this.#progress.take(event.id, message, arrivalMs(event.id));
    this.#on({ name: 'arrived' });
  }

  /** Whether a rule matches an event as stuck and the target has no message about it yet. */
  async wantsStuck(event: DeploymentEvent, facts: Facts): Promise<boolean> {
    if (this.#progress.isKnownStuck(event.id) || isHistory(event, this.config.maxAgeMs)) return false;
    if (this.#target.only && !this.#target.only.includes(event.status)) return false;
    return matchesStuck(this.config.rules, event, facts);
  }

  /** Sends a message about a deployment that has been stuck since an instant. */
  addStuck(event: DeploymentEvent, team: string, sinceMs: number): void {
    const isOld = sinceMs + this.config.maxAgeMs <= this.#nowMs;
    this.#progress.takeStuck(event.id, isOld ? undefined : eventMessage(event, team, { isStuck: true }), sinceMs);
    this.#on({ name: 'arrived' });
  }

  /** Whether the target has checked for news before. */
  get hasNews(): boolean {
    return this.#progress.hasNews;
  }

  /** Whether a rule matches news that the target doesn't know yet. */
  async wantsNews(news: NewsHead, facts: NameFacts): Promise<boolean> {
    return !this.#progress.isKnownNews(news.id) && matchesNews(this.config.rules, news, facts);
  }

  /** News from the first check, or older than `max_age`, is not sent. */
  addNews(news: NewsMessage, isFirstLook: boolean): void {
    const isOld = Date.parse(news.at) + this.config.maxAgeMs <= this.#nowMs;
    this.#progress.takeNews(news.id, isFirstLook || isOld ? undefined : news);
    this.#on({ name: 'arrived' });
  }

  beginNews(): void {
    this.#progress.beginNews();
  }

  start(): void {
    this.#stopped = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#on({ name: 'started' });
  }

  /** Starts no more messages. */
  cease(): void {
    this.#on({ name: 'stop' });
  }

  /** Waits up to `drainMs` for a message in flight to be accepted. Afterwards nothing is stored. */
  async halt({ drainMs, store }: { readonly drainMs: number; readonly store: boolean }): Promise<void> {
    const over = new AbortController();
    this.cease();
    const drained = this.#parts.clock.sleep(drainMs, over.signal).then(() => this.#attempt.abort());
    await this.#stopped;
    over.abort();
    await drained;
    await this.#progress.halt({ drainMs, store });
  }

  restart(position: string): Promise<void> {
    return this.#progress.restart(position);
  }

  #on(event: DeliveryEvent): void {
    const step = deliveryTable[this.#state][event.name];
    if (step === 'ignored') return;
    this.#state = step.next;
    for (const effect of step.effects) this.#effects[effect](event);
  }

  readonly #effects: Readonly<Record<DeliveryEffect, (event: DeliveryEvent) => void>> = {
    choose: () => this.#on(this.#next()),
    send: (event) => {
      if ('message' in event) void this.#send(event.message);
    },
    wait: (event) => {
      if ('waitMs' in event) this.#wait(event.waitMs);
    },
    wake: () => this.#timer.abort(),
    'judge-progress': () => {
      if (this.#progress.seen === this.#waitingAt) this.#progress.stopExpecting();
    },
    'record-outcome': (event) => this.#record(event),
    'back-off': (event) => {
      const askedMs = 'failure' in event ? Math.min(event.failure.retryAfterMs ?? 0, retryAfterMaxMs) : 0;
      this.#wait(askedMs || Math.min(retryMaxMs, retryMinMs * 2 ** this.#failures));
      this.#failures += 1;
    },
    store: () => {
      this.#failures = 0;
      this.#progress.store();
    },
    end: () => this.#end(),
  };

  #next(): DeliveryEvent {
    const next = this.#progress.backlog.next(this.#nowMs);
    if (!next) return { name: 'empty' };
    if ('waitMs' in next) return { name: 'early', waitMs: next.waitMs };
    if (next.message.kind === 'digest' && this.#progress.isBehind) return { name: 'behind', waitMs: catchUpMs };
    return { name: 'due', message: next.message };
  }

  #wait(ms: number): void {
    const timer = new AbortController();
    this.#timer = timer;
    this.#waitingAt = this.#progress.seen;
    void this.#parts.clock.sleep(ms, timer.signal).then(() => {
      if (!timer.signal.aborted) this.#on({ name: 'time-over' });
    });
  }

  async #send(message: Message): Promise<void> {
    const { backlog } = this.#progress;
    const attempt = new AbortController();
    this.#attempt = attempt;
    const key = message.kind === 'deployment' ? threadKey(message) : undefined;
    backlog.begin();
    try {
      const { publicUrl, sender } = this.#parts;
      const known = key === undefined ? undefined : this.#progress.threadOf(key);
      const thread = await this.#target.send(linked(message, publicUrl), {
        ...{ sender, signal: attempt.signal, thread: known },
      });
      backlog.end('delivered', this.#nowMs);
      if (key !== undefined) this.#progress.rememberThread(key, thread);
      this.#on({ name: 'delivered', message });
    } catch (error) {
      const failure = error instanceof NotSent ? error : this.#unexpected(error);
      const name = failure.outcome === 'dropped' ? 'dropped' : 'failed';
      backlog.end(name, this.#nowMs);
      this.#on({ name, message, failure });
    }
  }

  #unexpected(error: unknown): NotSent {
    this.#log.error({ err: error }, 'a message could not be created');
    return new NotSent('a message could not be created; see the log');
  }

  #record(event: DeliveryEvent): void {
    if (!('message' in event) || event.name === 'due') return;
    const target = this.#target.name;
    const { messages } = this.#parts.metrics;
    if (!('failure' in event)) {
      this.#health.succeeded();
      if (event.message.kind === 'digest') messages.inc({ target, result: 'digested' }, event.message.count);
      else messages.inc({ target, result: 'delivered' });
      return;
    }
    const { outcome, message: sentence } = event.failure;
    messages.inc({ target, result: event.name });
    this.#health.failed(outcome, event.name === 'dropped' ? `${sentence}; the message is skipped` : sentence);
  }

  get #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }
}

/** A key of 10 characters for a deployment in a slot. */
function threadKey({ event: { deployment_id, service, environment } }: EventMessage): string {
  const whole = JSON.stringify([deployment_id, service, environment]);
  return createHash('sha256').update(whole).digest('base64url').slice(0, 10);
}
