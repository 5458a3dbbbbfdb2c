import { setTimeout as delay } from 'node:timers/promises';
import { type DeploymentEvent, endpoints, keyHeaders, type Problem, statuses } from '@shiplog/contract';
import type { Dice } from '@shiplog/testing/random';
import type { History } from './history.ts';
import { HttpLine } from './http-line.ts';
import { keys, type Place } from './instance.ts';

export interface WritersOptions {
  readonly instances: readonly Place[];
  readonly history: History;
  readonly dice: Dice;
  /** Posts per second for all writers together. Posts delayed by an outage are sent after it. */
  readonly perSecond: number;
  /**
   * Whether each instance has one client that does not switch even if its posts are rejected, so that each instance
   * always gets posts.
   */
  readonly stay?: boolean;
}

/** Services that exist in every run, for readers with filters. */
export const services = Array.from({ length: 12 }, (_, n) => `service-${n}`);
const environments = ['dev', 'staging', 'qa', 'prod'];
const clients = 48;
const afterRefusalMs = 100;
/** A client switches instances after this many posts, so that a restarted instance gets posts again. */
const postsPerVisit = 100;
/** Event times are random within a period of this length. */
const happenedWithinMs = 3 * 3_600_000;
const happenedFrom = Date.UTC(2026, 4, 4, 9);
/** The UTC day of all events. */
export const happenedDay = { from: '2026-05-04T00:00:00Z', to: '2026-05-05T00:00:00Z' };
/** One in this many posts has a long URL, so that streams exceed the system's buffers. */
const longEvery = 3;
/** Few versions, so that earlier ones recur. */
const versionsMax = 9;
/** One post in this many is the parent of those after it. */
const promotedEvery = 10;

/** Clients that post sequentially and switch to another instance when a post is rejected. */
export class Writers {
  readonly #options: WritersOptions;
  readonly #startedAt = performance.now();
  readonly #ended: Promise<unknown>;
  #due = 0;
  #stopped = false;

  constructor(options: WritersOptions) {
    this.#options = options;
    this.#ended = Promise.all(Array.from({ length: clients }, (_, n) => this.#write(n)));
  }

  /** Resolves when every post has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  async #write(client: number): Promise<void> {
    const { instances, stay } = this.#options;
    const step = stay && client < instances.length ? 0 : 1;
    for (let at = client; !this.#stopped; at += step) {
      const instance = instances[at % instances.length];
      if (!instance) throw new Error('there is no instance to post to');
      await this.#writeTo(instance);
    }
  }

  /** Posts to one instance for a limited time, or until a post fails. */
  async #writeTo(instance: Place): Promise<void> {
    const line = new HttpLine(instance.url, this.#options.history);
    let taken = true;
    for (let posts = 0; taken && posts < postsPerVisit && !this.#stopped; posts += 1) {
      taken = await this.#post(line, await this.#turn(), instance.name);
    }
    line.close();
    if (!taken) await delay(afterRefusalMs);
  }

  /** Resolves with the number of the next post when that post is due. */
  async #turn(): Promise<number> {
    const number = this.#due;
    this.#due += 1;
    const ms = this.#startedAt + (number * 1000) / this.#options.perSecond - performance.now();
    if (ms > 1) await delay(ms);
    return number;
  }

  /** Posts an event and returns whether it was accepted. */
  async #post(line: HttpLine, number: number, instance: string): Promise<boolean> {
    const { history } = this.#options;
    const key = `post-${number}`;
    const body = this.#body(key, number);
    const { method, path } = endpoints.appendDeployment;
    const headers = { [keyHeaders.api]: keys.api, 'Content-Type': 'application/json' };
    const sent = { key, instance, sentAt: performance.now(), completedBefore: history.completed };
    const answer = await line.call({ name: 'a post', method, path, headers, body, good: [201] });
    const answeredAt = performance.now();
    const event = answer?.status === 201 ? (answer.json as DeploymentEvent) : undefined;
    const id = event && history.saw('the response to a post', event.id, answer?.text ?? '');
    if (event && event.deployment_id !== key)
      history.violated('altered', `the post ${key} got a response with another event`);
    const problem = event ? undefined : slugOf(answer?.json as Problem | undefined);
    history.posts.push({ ...sent, answeredAt, status: answer?.status, id, problem });
    return event !== undefined;
  }

  #body(key: string, number: number): string {
    const { dice } = this.#options;
    return JSON.stringify({
      deployment_id: key,
      service: dice.one(services),
      environment: dice.one(environments),
      status: dice.one(statuses),
      happened_at: new Date(happenedFrom + dice.between(0, happenedWithinMs)).toISOString(),
      actor: 'alice',
      version: `1.${dice.between(0, versionsMax)}`,
      ...(number % promotedEvery > 0 && { parent_deployments: [`post-${number - (number % promotedEvery)}`] }),
      run_url: `https://ci.example.com/${dice.between(1, longEvery) === 1 ? 'r'.repeat(1500) : 'runs'}`,
    });
  }
}

/** The kind of a problem: the last part of its type. */
function slugOf(problem: Problem | undefined): string | undefined {
  return problem?.type.split('/').at(-1);
}
