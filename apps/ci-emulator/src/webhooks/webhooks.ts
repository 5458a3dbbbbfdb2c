import {
  type CiDelivery,
  type CiWebhook,
  type CiWebhookRequest,
  emulatorLimits,
  hookEvents,
  knownHookEvents,
  type OutageTool,
} from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import type { EmulatorClock } from '../clock.ts';
import type { Outage } from '../domain/model.ts';
import type { Random } from '../random.ts';
import type { Change } from '../store.ts';
import { githubEvents, gitlabEvents, type HookEvent, pingEvent } from './events.ts';
import { outageEvents, outageHistory } from './outage-events.ts';
import { type Outcome, type Sendable, Target } from './target.ts';

export interface WebhookParts {
  readonly clock: EmulatorClock;
  readonly random: Random;
  /** Allowed hosts in lower case. Without the list, anyone with access to the port could send requests anywhere. */
  readonly hosts: readonly string[];
}

interface Delivery {
  readonly target: Target;
  readonly sendable: Sendable;
  readonly shown: CiDelivery;
}

/** Webhook targets and the latest deliveries (CI emulator §8). */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #stopping = new AbortController();
  #targets: Target[] = [];
  #deliveries: Delivery[] = [];
  #made = 0;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#targets.length;
  }

  /** Adds a target unless it has errors; returns them. It gets the webhooks about `past` outages of its tool. */
  add(request: CiWebhookRequest, past: readonly Outage[] = []): readonly FieldError[] {
    const errors = targetErrors(request, this.#parts.hosts);
    if (errors.length > 0) return errors;
    this.#made += 1;
    const target = new Target({
      id: this.#made,
      request,
      events: request.events ?? hookEvents[request.tool],
      now: () => this.#parts.clock.now(),
      signal: this.#stopping.signal,
      onSent: (to, sendable, outcome) => this.#note(to, sendable, outcome),
    });
    this.#targets.push(target);
    if (request.tool === 'github') void target.send(this.#sendable(pingEvent(target.id)));
    if (request.past_outages === true)
      for (const outage of past) this.#offer(outageHistory(outage), outage.tool, [target]);
    return [];
  }

  /** Returns whether the target existed. */
  remove(id: string): boolean {
    const found = this.#targets.find((target) => String(target.id) === id);
    found?.remove();
    this.#targets = this.#targets.filter((target) => target !== found);
    return found !== undefined;
  }

  /** The targets without their secrets. */
  list(): CiWebhook[] {
    return this.#targets.map(({ id, request, events, mode, pausedUntil }) => ({
      id,
      tool: request.tool,
      url: request.url,
      events: [...events],
      mode,
      resting_until: pausedUntil === undefined ? null : new Date(pausedUntil).toISOString(),
    }));
  }

  /** Reports a change to the tool's targets. */
  tell(change: Change): void {
    const tool = change.kind === 'outage' ? change.outage.tool : change.kind === 'gitlab' ? 'gitlab' : 'github';
    if (this.#targets.some(({ request }) => request.tool === tool)) this.#offer(eventsOf(change), tool, this.#targets);
  }

  #offer(events: readonly HookEvent[], tool: OutageTool, targets: readonly Target[]): void {
    for (const event of events) {
      const name = gitlabNames[event.event] ?? event.event;
      for (const target of targets) {
        if (target.request.tool === tool && target.events.includes(name)) target.offer(this.#sendable(event));
      }
    }
  }

  deliveries(): CiDelivery[] {
    return this.#deliveries.map(({ shown }) => shown);
  }

  clearDeliveries(): void {
    this.#deliveries = [];
  }

  /** Sends the same body with the same id again. `undefined` if the delivery or its target does not exist. */
  async redeliver(id: string): Promise<CiDelivery | undefined> {
    const found = this.#deliveries.findLast(({ sendable }) => sendable.id === id);
    if (!found || !this.#targets.includes(found.target)) return undefined;
    await found.target.send(found.sendable);
    return this.#deliveries.findLast(({ sendable }) => sendable.id === id)?.shown;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Resolves when all queues are empty. */
  async idle(): Promise<void> {
    await Promise.all(this.#targets.map((target) => target.idle()));
  }

  #sendable(event: HookEvent): Sendable {
    return { ...event, id: this.#parts.random.uuid(), text: JSON.stringify(event.body) };
  }

  #note(target: Target, sendable: Sendable, { at, status, durationMs }: Outcome): void {
    const attempt =
      this.#deliveries.filter((one) => one.target === target && one.sendable.id === sendable.id).length + 1;
    const shown = {
      id: sendable.id,
      at: new Date(at).toISOString(),
      event: sendable.event,
      status,
      duration_ms: durationMs,
      attempt,
    };
    this.#deliveries = [...this.#deliveries, { target, sendable, shown }].slice(-emulatorLimits.deliveriesKept);
  }
}

/** The names of GitLab's events in the settings of a target. */
const gitlabNames: Readonly<Record<string, string>> = { 'Deployment Hook': 'deployment', 'Issue Hook': 'issue' };

function eventsOf(change: Change): HookEvent[] {
  if (change.kind === 'outage') return outageEvents(change.outage);
  return change.kind === 'gitlab' ? gitlabEvents(change) : githubEvents(change);
}

function targetErrors(
  { tool, url, events = [], signing_token }: CiWebhookRequest,
  hosts: readonly string[],
): FieldError[] {
  if (!URL.canParse(url)) return [{ pointer: '/url', message: 'must be a valid URL' }];
  const parsed = new URL(url);
  const known = knownHookEvents(tool);
  const foreign = events.findIndex((event) => !known.includes(event));
  return [
    ...(/^https?:$/.test(parsed.protocol) ? [] : [{ pointer: '/url', message: 'must begin with http:// or https://' }]),
    ...(hosts.includes(parsed.hostname.toLowerCase().replace(/^\[|\]$/g, ''))
      ? []
      : [
          {
            pointer: '/url',
            message: `points to ${parsed.hostname}, which is not in WEBHOOK_HOSTS (${hosts.join(', ')})`,
          },
        ]),
    ...(foreign < 0 ? [] : [{ pointer: `/events/${foreign}`, message: `must be one of ${known.join(', ')}` }]),
    ...(tool !== 'gitlab' && signing_token !== undefined
      ? [{ pointer: '/signing_token', message: 'is only for GitLab targets' }]
      : []),
  ];
}
