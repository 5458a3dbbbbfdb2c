import { createHash } from 'node:crypto';
import type { Client, Clock } from '@shiplog/client';
import type { TargetHealth } from '@shiplog/companions';
import type { Reports } from '@shiplog/component';
import { type DeploymentEvent, nilId } from '@shiplog/contract';
import type { Logger } from 'pino';
import type { TargetConfig } from './config/relay-file.ts';
import { Backlog } from './domain/backlog.ts';
import { isReference, stuckMax, threadsMax } from './domain/cursor.ts';
import { arrivalMs, type EventMessage, eventMessage, isHistory, linked, type Message } from './domain/message.ts';
import { type Facts, isTold, isToldStuck } from './domain/rule.ts';
import type { RelayMetrics } from './metrics.ts';
import { PositionKeeper } from './position-keeper.ts';
import { NotSent } from './sender/not-sent.ts';
import type { Sender } from './sender/sender.ts';
import { TargetState } from './target-state.ts';
import type { Target } from './targets/target.ts';

export interface TargetLoopParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reports: Pick<Reports, 'failed' | 'recovered'>;
  readonly metrics: RelayMetrics;
  readonly sender: Sender;
  /** Where people find Shiplog; `undefined`: messages have no link to it. */
  readonly publicUrl: string | undefined;
}

const retryMinMs = 1000;
const retryMaxMs = 5 * 60_000;
/** No timer takes much more, and nobody means it. */
const retryAfterMaxMs = 86_400_000;
/** So long after an event there would have been another. */
const restMs = 10_000;
/** How often the position is stored while nothing is sent. */
const quietStoreMs = 30_000;

/**
 * One target: takes the events of the log, and delivers its messages one after another, each until the target has it or
 * never will. What it remembers is stored after each of them, so that a restart goes on: at least once, in order.
 */
export class TargetLoop {
  readonly config: TargetConfig;
  readonly #target: Target;
  readonly #parts: TargetLoopParts;
  readonly #log: Logger;
  readonly #state: TargetState;
  readonly #keeper: PositionKeeper;
  readonly #backlog: Backlog;
  readonly #threads = new Map<string, string>();
  /** Rows that were told to be stuck, or wait to be; the first so many are settled. */
  #stuck: string[] = [];
  #stuckSettled = 0;
  /** The id up to which every event was looked at; `undefined` before the state is read. */
  #seen: string | undefined;
  #storedMs = 0;
  /** The head of the log when it was last followed anew: until there, more of what is old may come. */
  #expected = nilId;
  #arrived: () => void = () => undefined;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(config: TargetConfig, parts: TargetLoopParts) {
    const { clock, logger, reports, client, sender } = parts;
    this.config = config;
    this.#parts = parts;
    this.#target = config.entry.open(sender);
    const { name } = this.#target;
    this.#log = logger.child({ target: name });
    this.#keeper = new PositionKeeper({ client, clock, log: this.#log, target: name });
    this.#backlog = new Backlog({ burst: config.burst, maxAgeMs: config.maxAgeMs });
    this.#state = new TargetState({
      clock,
      onBad: (sentence) => {
        this.#log.warn({ reason: sentence }, 'the target did not take a message');
        reports.failed(name, sentence);
      },
      onWell: () => {
        this.#log.info('the target takes messages again');
        reports.recovered(name);
      },
    });
  }

  /** Where it has to go on in the log. */
  get seen(): string {
    return this.#seen ?? nilId;
  }

  get health(): TargetHealth {
    const { name, type } = this.#target;
    return { name, type, ...this.#state.health, waiting: this.#backlog.count };
  }

  get isBad(): boolean {
    return this.#state.isBad;
  }

  /** Reads what it remembers; a target without a state begins at the head. @throws where the service is away. */
  async begin(head: () => Promise<string>, signal: AbortSignal): Promise<void> {
    if (this.#seen !== undefined) return;
    const memory = await this.#keeper.load(signal);
    if (memory) {
      this.#backlog.remember(memory.recent);
      for (const [key, thread] of memory.threads) this.#threads.set(key, thread);
      this.#stuck = [...memory.stuck];
      this.#stuckSettled = this.#stuck.length;
    }
    this.#seen = memory?.position ?? (await head());
    if (!memory) this.#store();
  }

  /** The log is followed from `seen` on, and goes at least to this id. */
  expect(head: string): void {
    this.#expected = head;
  }

  /** Looks at the next event of the log. @throws where the service is away; the event was not taken then. */
  async take(event: DeploymentEvent, facts: Facts): Promise<void> {
    const before = this.seen;
    if (event.id <= before) return;
    const isNews = !isHistory(event, this.config.maxAgeMs) && (this.#target.only?.includes(event.status) ?? true);
    const isWanted = isNews && (await isTold(this.config.rules, event, this.#target.told, facts));
    const team = isWanted ? await facts.team() : '';
    const isRecovery = isWanted && event.status === 'success' && (await facts.isRecovery());
    this.#seen = event.id;
    if (isWanted) this.#add(eventMessage(event, team, { isRecovery }), arrivalMs(event.id), before);
    else if (this.#nowMs - this.#storedMs >= quietStoreMs) this.#store();
    this.#arrived();
  }

  /** Whether a rule wants to know that an event is stuck, and does not yet. */
  async wantsStuck(event: DeploymentEvent, facts: Facts): Promise<boolean> {
    if (this.#stuck.includes(event.id) || isHistory(event, this.config.maxAgeMs)) return false;
    if (this.#target.only && !this.#target.only.includes(event.status)) return false;
    return isToldStuck(this.config.rules, event, facts);
  }

  /** An event counts as stuck since an instant. */
  tellStuck(event: DeploymentEvent, team: string, sinceMs: number): void {
    this.#stuck.push(event.id);
    if (sinceMs + this.config.maxAgeMs <= this.#nowMs) return;
    this.#add(eventMessage(event, team, { isStuck: true }), sinceMs, this.seen);
  }

  start(): void {
    this.#stopping = new AbortController();
    this.#running = this.#run(this.#stopping.signal);
  }

  /** Begins no further message. */
  cease(): void {
    this.#stopping.abort();
  }

  /** Resolves when nothing is under way; a message that is has `drainMs` to be taken. Afterwards nothing is stored. */
  async halt({ drainMs, store }: { readonly drainMs: number; readonly store: boolean }): Promise<void> {
    const over = new AbortController();
    this.cease();
    const drained = this.#parts.clock.sleep(drainMs, over.signal).then(() => this.#giveUp());
    await this.#running;
    over.abort();
    await drained;
    if (store && this.#seen !== undefined) this.#store();
    await this.#keeper.halt(drainMs);
  }

  /** The log was cleared: begins anew. Resolves when that is stored, or after a while. */
  async restart(position: string): Promise<void> {
    this.#backlog.clear();
    this.#threads.clear();
    this.#stuck = [];
    this.#stuckSettled = 0;
    this.#seen = position;
    this.#store();
    await this.#keeper.stored(retryMinMs);
  }

  #giveUp: () => void = () => undefined;

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      const next = this.#backlog.next(this.#nowMs);
      if (!next) await this.#arrival(signal);
      else if ('waitMs' in next) await this.#arrivalWithin(next.waitMs, signal);
      else if (next.message.kind === 'digest' && this.seen < this.#expected) await this.#rest(signal);
      else {
        const retryAfterMs = await this.#attempt(next.message, signal);
        const doubledMs = Math.min(retryMaxMs, retryMinMs * 2 ** failures);
        failures = retryAfterMs === undefined ? 0 : failures + 1;
        if (retryAfterMs !== undefined) await this.#parts.clock.sleep(retryAfterMs || doubledMs, signal);
      }
    }
  }

  /** `undefined` where the message is settled; else how long the target asks to wait, 0 where it does not say. */
  async #attempt(message: Message, stopping: AbortSignal): Promise<number | undefined> {
    const giveUp = new AbortController();
    this.#giveUp = () => giveUp.abort();
    const key = message.kind === 'deployment' ? threadKey(message) : undefined;
    this.#backlog.begin();
    try {
      const known = key === undefined ? undefined : this.#threads.get(key);
      const sent = linked(message, this.#parts.publicUrl);
      const thread = await this.#target.send(sent, { signal: giveUp.signal, thread: known });
      this.#backlog.end('delivered', this.#nowMs);
      if (key !== undefined && isReference(thread)) this.#remember(key, thread);
      this.#count(message, 'delivered');
      this.#state.succeeded();
    } catch (error) {
      const failure = error instanceof NotSent ? error : this.#unexpected(error);
      const isDropped = failure.outcome === 'dropped';
      this.#backlog.end(isDropped ? 'dropped' : 'failed', this.#nowMs);
      if (stopping.aborted && !isDropped) return 0;
      this.#count(message, isDropped ? 'dropped' : 'failed');
      this.#state.failed(failure.outcome, isDropped ? `${failure.message}; the message is left out` : failure.message);
      if (!isDropped) return Math.min(failure.retryAfterMs ?? 0, retryAfterMaxMs);
    }
    if (this.#backlog.count === 0) this.#stuckSettled = this.#stuck.length;
    this.#store();
    return undefined;
  }

  #unexpected(error: unknown): NotSent {
    this.#log.error({ err: error }, 'a message could not be made');
    return new NotSent('a message could not be made; the log says why');
  }

  #count(message: Message, result: 'delivered' | 'dropped' | 'failed'): void {
    const target = this.#target.name;
    const { messages } = this.#parts.metrics;
    if (message.kind === 'digest' && result === 'delivered')
      messages.inc({ target, result: 'digested' }, message.count);
    else messages.inc({ target, result });
  }

  #remember(key: string, thread: string): void {
    this.#threads.delete(key);
    this.#threads.set(key, thread);
    const [oldest = ''] = this.#threads.keys();
    if (this.#threads.size > threadsMax) this.#threads.delete(oldest);
  }

  #add(message: EventMessage, arrivedMs: number, before: string): void {
    this.#backlog.add(message, arrivedMs, { before, nowMs: this.#nowMs });
    this.#arrived();
  }

  /** Resolves at the next event, or when the signal is aborted. */
  #arrival(signal: AbortSignal): Promise<void> {
    this.#arrived();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#arrived = wake;
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }

  /** A digest waits for all of what is old; but not for an event that never comes, because it was pruned. */
  async #rest(signal: AbortSignal): Promise<void> {
    const { seen } = this;
    await this.#arrivalWithin(restMs, signal);
    if (this.seen === seen) this.#expected = seen;
  }

  async #arrivalWithin(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    await Promise.race([this.#arrival(signal), this.#parts.clock.sleep(ms, over.signal)]);
    over.abort();
  }

  #store(): void {
    this.#storedMs = this.#nowMs;
    this.#keeper.store({
      position: this.#backlog.position ?? this.seen,
      recent: this.#backlog.recent(this.#nowMs),
      threads: this.#threads,
      stuck: this.#stuck.slice(0, this.#stuckSettled).slice(-stuckMax),
    });
  }

  get #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }
}

/** What names a deployment at one place, in 10 characters. */
function threadKey({ event: { deployment_id, service, environment } }: EventMessage): string {
  const whole = JSON.stringify([deployment_id, service, environment]);
  return createHash('sha256').update(whole).digest('base64url').slice(0, 10);
}
