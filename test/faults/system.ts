import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@shiplog/contract';
import { witnessClearings } from '@shiplog/testing/clearings';
import { makeFolder, removeFolder } from '@shiplog/testing/folder';
import { DatabaseServer } from './database-server.ts';
import type { History } from './history.ts';
import { Instance } from './instance.ts';

/** The clock offset of each instance. */
const skewsMs = { first: 0, second: 90_000, third: -90_000 } as const;
const lookAgainMs = 20;
const readyWithinMs = 45_000;

/** The system under test: a database server, and instances of the service that connect to it through proxies. */
export class System {
  readonly database: DatabaseServer;
  readonly instances: readonly Instance[];
  readonly history: History;
  readonly #folder: string;

  static async open(history: History): Promise<System> {
    const folder = await makeFolder();
    const database = await DatabaseServer.open();
    const onDeath = (name: string, output: string) =>
      history.violated('process', `${name} ended unexpectedly: ${output.slice(-2000)}`);
    const instances = await Promise.all(
      Object.entries(skewsMs).map(([name, skewMs]) =>
        Instance.open({ name, database, skewMs, folder, onDeath: (output) => onDeath(name, output) }),
      ),
    );
    const system = new System({ database, instances, history, folder });
    await Promise.all(instances.map((instance) => instance.start()));
    await witnessClearings(database.url);
    return system;
  }

  private constructor(parts: {
    database: DatabaseServer;
    instances: readonly Instance[];
    history: History;
    folder: string;
  }) {
    this.database = parts.database;
    this.instances = parts.instances;
    this.history = parts.history;
    this.#folder = parts.folder;
  }

  /** The instance that no fault stops. Its memory use can therefore be measured over a long time. */
  get spared(): Instance {
    const [spared] = this.instances;
    if (!spared) throw new Error('there are no instances');
    return spared;
  }

  /** The other instances, which may be killed. */
  get killable(): readonly Instance[] {
    return this.instances.slice(1);
  }

  /** Resolves when every instance reports that it is ready. */
  async allReady(): Promise<void> {
    const deadline = performance.now() + readyWithinMs;
    for (const instance of this.instances) {
      while (!(await isReady(instance))) {
        if (performance.now() > deadline) {
          this.history.violated('readiness', `${instance.name} was not ready again within ${readyWithinMs} ms`);
          return;
        }
        await delay(lookAgainMs);
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.close()));
    await this.database.close();
    await removeFolder(this.#folder);
  }
}

async function isReady({ url }: Instance): Promise<boolean> {
  try {
    const response = await fetch(`${url}${endpoints.getReadiness.path}`);
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
