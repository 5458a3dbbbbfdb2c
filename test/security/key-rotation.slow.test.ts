import { request } from 'node:http';
import { streams } from '@shiplog/contract';
import { anEvent, ProgramProcess, StreamReader, testDatabase } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';

/** The old and the next value of each key. */
const pipelines = { old: 'secret-of-pipelines-old', next: 'secret-of-pipelines-new' } as const;
const operators = { old: 'secret-of-operators-old', next: 'secret-of-operators-new' } as const;

/** The settings of the instances, step by step (SECURITY.md, Rotating a key). */
const steps = {
  before: { API_KEY: pipelines.old, CONTROL_API_KEY: operators.old },
  both: {
    API_KEY: pipelines.old,
    API_KEY_NEXT: pipelines.next,
    CONTROL_API_KEY: operators.old,
    CONTROL_API_KEY_NEXT: operators.next,
  },
  after: { API_KEY: pipelines.next, CONTROL_API_KEY: operators.next },
} as const;

/** An instance that is restarted with other settings. */
class Instance {
  url = '';
  #process: ProgramProcess | undefined;
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async restart(keys: Readonly<Record<string, string>>): Promise<void> {
    if (this.#process) expect(await this.#process.terminate()).toBe(0);
    this.#process = ProgramProcess.spawn('service', { PORT: '0', DATABASE_URL: this.#databaseUrl, ...keys });
    this.url = await this.#process.ready();
  }
}

/** The status of a post on a new connection; `undefined` if no instance accepted it. */
function post(url: string, key: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { 'X-Api-Key': key };
    const sent = request(`${url}/api/deployments`, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', () => resolve(undefined));
    sent.end(JSON.stringify(anEvent()));
  });
}

/** A pipeline that continuously posts to any available instance, as through a load balancer. */
class Pipeline {
  key: string = pipelines.old;
  stored = 0;
  /** Posts that no instance accepted. */
  failed: (number | undefined)[] = [];
  #stopped = false;
  readonly #loop: Promise<void>;

  constructor(instances: readonly Instance[]) {
    this.#loop = this.#post(instances);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
  }

  async #post(instances: readonly Instance[]): Promise<void> {
    for (let turn = 0; !this.#stopped; turn++) {
      const [first, second] = turn % 2 === 0 ? instances : instances.toReversed();
      const status = (await post(first?.url ?? '', this.key)) ?? (await post(second?.url ?? '', this.key));
      if (status === 201) this.stored += 1;
      else this.failed.push(status);
    }
  }
}

/** The response of each instance to each value of both keys. */
async function accepted(instances: readonly Instance[]): Promise<string[]> {
  const told: string[] = [];
  for (const [number, { url }] of instances.entries()) {
    for (const [name, key] of Object.entries(pipelines)) {
      if ((await post(url, key)) === 201) told.push(`${number} pipelines ${name}`);
    }
    for (const [name, key] of Object.entries(operators)) {
      const stream = await StreamReader.open({
        url: `${url}${streams.control.path}`,
        headers: { 'X-Control-API-Key': key },
      });
      stream.close();
      if (stream.status === 200) told.push(`${number} operators ${name}`);
    }
  }
  return told;
}

test('no post is rejected while both keys are rotated on two instances, one restart at a time', async () => {
  const database = await testDatabase();
  const [first, second] = [new Instance(database.url), new Instance(database.url)];
  const instances = [first, second];
  const takes = (number: number, ...names: string[]) =>
    ['pipelines', 'operators'].flatMap((who) => names.map((name) => `${number} ${who} ${name}`));
  await Promise.all(instances.map((instance) => instance.restart(steps.before)));
  expect(await accepted(instances)).toEqual([...takes(0, 'old'), ...takes(1, 'old')]);

  const pipeline = new Pipeline(instances);
  onTestFinished(() => pipeline.stop());
  // First add the next value while all clients still send the old one.
  await first.restart(steps.both);
  expect(await accepted(instances)).toEqual([...takes(0, 'old', 'next'), ...takes(1, 'old')]);
  await second.restart(steps.both);
  expect(await accepted(instances)).toEqual([...takes(0, 'old', 'next'), ...takes(1, 'old', 'next')]);
  // Then switch the clients to the next value one by one.
  pipeline.key = pipelines.next;
  // Finally remove the old value.
  await first.restart(steps.after);
  expect(await accepted(instances)).toEqual([...takes(0, 'next'), ...takes(1, 'old', 'next')]);
  await second.restart(steps.after);
  expect(await accepted(instances)).toEqual([...takes(0, 'next'), ...takes(1, 'next')]);
  await pipeline.stop();

  expect(pipeline.failed).toEqual([]);
  expect(pipeline.stored).toBeGreaterThan(0);
});
