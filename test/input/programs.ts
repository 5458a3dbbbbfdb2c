import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  anEvent,
  clientOf,
  cloneDatabase,
  type OpenApiDocument,
  ProgramProcess,
  postStored,
  runSql,
  testKeys,
} from '@shiplog/testing';
import type { Subject } from './cases.ts';

export const programNames = ['service', 'mock', 'demo-driver', 'ci-emulator'] as const;
/** The programs whose OpenAPI documents have valid example bodies that the cases can change. */
export const documentedNames = ['service', 'mock', 'demo-driver'] as const;

/** A running program under attack. */
interface Program extends Subject {
  readonly url: string;
  readonly document: OpenApiDocument;
  /** The bytes of a valid request without a body. If a program processes it, `state` changes. */
  readonly canary: string;
  /** The path of a read that always returns 200. */
  readonly probe: string;
  readonly process: ProgramProcess;
  /** The state that invalid input must not change. */
  readonly state: () => Promise<unknown>;
}

type Programs = Readonly<Record<(typeof programNames)[number], Program>>;

const keys = { 'X-Api-Key': testKeys.api, 'X-Control-API-Key': testKeys.control };
const settings = { PORT: '0', API_KEY: testKeys.api };
const adapter = 'github-actions';

/** The service with its own database, the mock, and a driver for this service. */
export class Attacked {
  readonly #ends: (() => unknown)[] = [];

  /** Starts the programs and stores data in each. */
  async start(): Promise<Programs> {
    const database = await cloneDatabase();
    this.#ends.push(() => database.drop());
    const neighbour = await startNeighbour();
    this.#ends.push(() => neighbour.close());
    const keyed = { ...settings, CONTROL_API_KEY: testKeys.control };
    const service = this.#run('service', { ...keyed, DATABASE_URL: database.url });
    const mock = this.#run('mock', settings);
    const driver = this.#run('demo-driver', {
      ...keyed,
      WRITE_API_URL: await service.ready(),
      CI_EMULATOR_URL: neighbour.url,
      FETCHER_URL: neighbour.url,
    });
    const emulator = this.#run('ci-emulator', { PORT: '0', CLOCK: '2026-05-04T09:00:00Z' });
    const rows = () => everyRow(database.url);
    return {
      service: await programOf(service, {
        probe: '/healthz',
        canary: '/api/control/reset',
        looks: ['/api/deployments', '/api/control/events', `/api/fetcher/state/${adapter}`],
        behind: rows,
      }),
      mock: await programOf(mock, {
        probe: '/healthz',
        canary: '/_mock/reset',
        looks: ['/api/deployments', '/_mock/status', '/_mock/demo', `/api/fetcher/state/${adapter}`],
      }),
      'demo-driver': await programOf(driver, {
        probe: '/demo/emit',
        canary: '/demo/emit',
        looks: ['/demo/status', '/demo/emit'],
        behind: async () => [await rows(), neighbour.posts()],
      }),
      'ci-emulator': await programOf(emulator, {
        probe: '/_ci/emit',
        canary: '/_ci/clear',
        id: '4830001',
        looks: ['/_ci/status', '/_ci/emit', '/_ci/export', '/_ci/faults', '/_ci/webhooks', '/_ci/clock'],
      }),
    };
  }

  /** Stops all started programs. */
  async stop(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }

  #run(name: (typeof programNames)[number], environment: Readonly<Record<string, string>>): ProgramProcess {
    const program = ProgramProcess.start(name, environment);
    this.#ends.push(() => program.terminate());
    return program;
  }
}

interface Views {
  readonly probe: string;
  /** The path of an endpoint without a body. */
  readonly canary: string;
  /** For a program that stores no events, a name for which it stores other data. */
  readonly id?: string;
  /** The paths that show the program's state. */
  readonly looks: readonly string[];
  /** Reads state that isn't visible through any path. */
  readonly behind?: () => Promise<unknown>;
}

async function programOf(
  process: ProgramProcess,
  { probe, canary, looks, behind, id: ownId = '' }: Views,
): Promise<Program> {
  const url = await process.ready();
  const read = async (path: string) => (await fetch(`${url}${path}`, { headers: keys })).text();
  const document = JSON.parse(await read('/openapi.json')) as Program['document'];
  const id = '/api/deployments' in document.paths ? await storeSomething(url) : ownId;
  const hold = '/api/holds' in document.paths ? await storeHold(url) : '';
  if ('/api/outages' in document.paths) await clientOf(url).appendOutage({ body: outage });
  return {
    url,
    document,
    keys,
    known: {
      adapter,
      id,
      'holds/id': hold,
      source: outage.source,
      outage_id: outage.outage_id,
      tool: 'github',
      name: 'demo-set',
      figure: 'incidents',
      service: 'payments-api',
      version: '1.4.2',
    },
    probe,
    canary: `POST ${canary} HTTP/1.1\r\nHost: shiplog\r\nX-Control-API-Key: ${testKeys.control}\r\n\r\n`,
    process,
    state: () => Promise.all([...looks.map(read), behind?.()]),
  };
}

/** Stores a cursor and an event; returns the event's id. */
async function storeSomething(url: string): Promise<string> {
  await clientOf(url).putFetcherState({ params: { adapter }, body: { cursor: 'seed' } });
  return (await postStored(url, anEvent({ version: '1.4.2' }))).id;
}

const outage = {
  ...{ source: 'pager', outage_id: 'INC-7', state: 'opened' as const },
  happened_at: '2026-05-04T09:30:00Z',
};

async function storeHold(url: string): Promise<string> {
  const body = {
    kind: 'bad' as const,
    services: ['*'],
    environments: ['prod'],
    version: '1.4.2',
    reason: 'It loses orders',
  };
  const { body: hold } = await clientOf(url).makeHold({ body });
  return hold.id;
}

/**
 * The complete database as text (it is small). Omits the counts of rejected posts, because these may change.
 */
async function everyRow(url: string): Promise<string | undefined> {
  const statement = `select schema_to_xml('public', true, false, '')::text as rows`;
  const [found] = await runSql<{ rows: string }>(url, statement);
  return found?.rows.replace(/<refused_posts>.*<\/refused_posts>/gs, '');
}

/** Starts a substitute for the driver's emulator and fetcher. It counts POST requests. */
async function startNeighbour(): Promise<{ readonly url: string; posts(): number; close(): void }> {
  let posts = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST') posts += 1;
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, posts: () => posts, close: () => void server.close() };
}
