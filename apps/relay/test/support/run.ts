import type { RelayHealth } from '@shiplog/companions';
import type { RunningProgram } from '@shiplog/component';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import {
  anEvent,
  answers,
  clientOf,
  postStored,
  readJson,
  ScriptedServer,
  TestClock,
  type TestServiceOptions,
  testDatabase,
  testKeys,
  testLogger,
  testService,
  until,
} from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import { type RelayOptions, startRelay } from '../../src/relay.ts';
import { fileOf } from './file.ts';

export interface RunOptions {
  readonly service?: TestServiceOptions['config'];
  /** The address of a service with an empty log, instead of a new service. */
  readonly serviceUrl?: string;
  /** Members of the target `hook`, such as `rules: […]`. */
  readonly members?: string;
  /** Other targets, given the URL of the hook's server. */
  readonly others?: (url: string) => readonly string[];
}

/** A service, a target `hook` that accepts every message, and the relays between the two. */
export class Run {
  readonly serviceUrl: string;
  readonly hook: ScriptedServer;
  readonly log: string[] = [];
  readonly #members: string;
  readonly #others: readonly string[];

  static async open({ service = {}, serviceUrl, ...options }: RunOptions = {}): Promise<Run> {
    const started = async () => testService({ databaseUrl: (await testDatabase()).url, config: service });
    return new Run(serviceUrl ?? (await started()).url, await ScriptedServer.open(answers(200)), options);
  }

  private constructor(
    serviceUrl: string,
    hook: ScriptedServer,
    { members = '', others = () => [] }: Pick<RunOptions, 'members' | 'others'>,
  ) {
    this.serviceUrl = serviceUrl;
    this.hook = hook;
    this.#members = members;
    this.#others = others(hook.url);
  }

  /** Starts a relay that is stopped after the test; resolves when its targets have a position. */
  async relay({
    baseUrl = this.serviceUrl,
    ...more
  }: Partial<RelayOptions> & { baseUrl?: string } = {}): Promise<RunningProgram> {
    const own = `{ name: hook, type: webhook, url: "${this.hook.url}/secret-path"${this.#members && `, ${this.#members}`} }`;
    const file = fileOf(['targets:', ...[own, ...this.#others].map((target) => `  - ${target}`)]);
    const relay = await startRelay({
      config: {
        ...{ baseUrl, apiKey: testKeys.api, controlApiKey: testKeys.control, componentId: 'relay' },
        ...{ host: '127.0.0.1', port: 0, resetGateMaxTtlMs: 90_000, logLevel: 'silent', problemBase: '/problems' },
        publicUrl: undefined,
        ...file,
      },
      logger: testLogger({ write: (line) => this.log.push(line) }),
      ...more,
    });
    onTestFinished(() => ended(relay, more.clock));
    for (const { target } of file.targets) await until(async () => (await this.position(target.name)) !== undefined);
    return relay;
  }

  /** Stores an event that happens now. */
  post(fields: Partial<DeploymentEventIngest> = {}): Promise<DeploymentEvent> {
    return postStored(this.serviceUrl, anEvent({ happened_at: new Date().toISOString(), ...fields }));
  }

  /** The stored position of a target; `undefined` if there is none. */
  async position(name = 'hook'): Promise<string | undefined> {
    try {
      const { body } = await clientOf(this.serviceUrl).getFetcherState({ params: { adapter: `relay-${name}` } });
      return (JSON.parse(body.cursor) as { p: string }).p;
    } catch {
      return undefined;
    }
  }

  /** The ids of events received by the hook, in order; for digests, their counts. */
  get came(): (string | number)[] {
    return this.hook.received.map(({ body }) => {
      const { type, data } = JSON.parse(String(body));
      return type === 'shiplog.digest' ? data.count : data.id;
    });
  }
}

/** Stops a relay. If the clock is stopped, it continues meanwhile. */
export async function ended(relay: RunningProgram, clock?: unknown): Promise<void> {
  let isOver = false;
  const stopped = relay.stop().finally(() => {
    isOver = true;
  });
  while (clock instanceof TestClock && !isOver) {
    clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await stopped;
}

export function healthOf(relay: RunningProgram): Promise<RelayHealth> {
  return readJson(`${relay.url}/health`);
}
