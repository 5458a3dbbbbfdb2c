import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@shiplog/client';
import { anEvent } from '@shiplog/testing/events';
import { ProgramProcess } from '@shiplog/testing/process';
import { percentile } from './harness/figure.ts';
import { openFolder } from './harness/folder.ts';
import type { Outcome } from './harness/outcome.ts';
import { keys, openStage, type Stage } from './harness/stage.ts';

const rounds = 3;
const targetCount = 10;
const eventsPerRound = 100;
const betweenEventsMs = 100;

/**
 * The time from the response to a post until each of ten targets has its message, including while one target rejects
 * messages.
 */
export async function relay(): Promise<Outcome> {
  const stage = await openStage();
  const folder = await openFolder();
  const targets = await Targets.open();
  try {
    const well = await measured(stage, folder, targets, 'well');
    targets.dead = 0;
    const besideDead = await measured(stage, folder, targets, 'dead');
    const figure = { goal: 'relay', unit: 'ms', reach: { atMost: 500 } };
    return {
      figures: [
        { ...figure, title: `201 → message, p99, ${targetCount} targets`, measured: well },
        { ...figure, title: 'the same, with one refusing every message', measured: besideDead },
      ],
    };
  } finally {
    targets.close();
    await rm(folder, { recursive: true, force: true });
    await stage.close();
  }
}

async function measured(stage: Stage, folder: string, targets: Targets, name: string): Promise<number[]> {
  const path = join(folder, `${name}.yaml`);
  const lines = targets.urls.map((url, n) => `  - { name: ${name}-${n}, type: webhook, url: '${url}', burst: 1000 }`);
  await writeFile(path, ['version: 1', 'targets:', ...lines, ''].join('\n'));
  const settings = { DASHBOARD_API_BASE_URL: stage.url, API_KEY: keys.api, CONTROL_API_KEY: keys.control, PORT: '0' };
  const program = ProgramProcess.start('relay', { ...settings, RELAY_CONFIG: path });
  try {
    await program.ready();
    await followed(stage, targets, name);
    const figures: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      figures.push(percentile(await timesOf(stage, targets, `${name}-${round}`), 0.99));
    }
    return figures;
  } finally {
    await program.terminate();
  }
}

/** Resolves when every new target gets messages, which happens when the relay follows the log. */
async function followed(stage: Stage, targets: Targets, name: string): Promise<void> {
  const client = createClient({ baseUrl: stage.url, keys });
  targets.begin();
  for (let n = 0; targets.count(`${name}-first-${n - 1}`) < targets.living; n += 1) {
    await client.appendDeployment({
      body: anEvent({ deployment_id: `${name}-first-${n}`, happened_at: new Date().toISOString() }),
    });
    await sleep(5 * betweenEventsMs);
  }
}

async function timesOf(stage: Stage, targets: Targets, prefix: string): Promise<number[]> {
  const client = createClient({ baseUrl: stage.url, keys });
  const answeredAt = new Map<string, number>();
  targets.begin();
  for (let n = 0; n < eventsPerRound; n += 1) {
    const deployment_id = `${prefix}-${n}`;
    await client.appendDeployment({ body: anEvent({ deployment_id, happened_at: new Date().toISOString() }) });
    answeredAt.set(deployment_id, performance.now());
    await sleep(betweenEventsMs);
  }
  await targets.took(eventsPerRound * targets.living);
  return targets.taken.map(({ id, at }) => Math.max(0, at - (answeredAt.get(id) ?? Number.NaN)));
}

/** Targets that receive messages, each at a separate path. */
class Targets {
  readonly #server: Server;
  taken: { readonly id: string; readonly at: number }[] = [];
  /** The number of the target that rejects every message. */
  dead: number | undefined;
  #wake: () => void = () => undefined;

  static async open(): Promise<Targets> {
    const targets = new Targets();
    targets.#server.listen(0, '127.0.0.1');
    await once(targets.#server, 'listening');
    return targets;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      const at = performance.now();
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const isDead = request.url === `/${this.dead}`;
        response.writeHead(isDead ? 503 : 200).end();
        if (isDead) return;
        this.taken.push({ id: JSON.parse(Buffer.concat(chunks).toString()).data.deployment_id, at });
        this.#wake();
      });
    });
  }

  get urls(): string[] {
    const { port } = this.#server.address() as AddressInfo;
    return Array.from({ length: targetCount }, (_, n) => `http://127.0.0.1:${port}/${n}`);
  }

  /** The number of targets that accept messages. */
  get living(): number {
    return targetCount - (this.dead === undefined ? 0 : 1);
  }

  /** The number of targets that have the message of a deployment. */
  count(id: string): number {
    return this.taken.filter((message) => message.id === id).length;
  }

  begin(): void {
    this.taken = [];
  }

  async took(count: number): Promise<void> {
    while (this.taken.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
