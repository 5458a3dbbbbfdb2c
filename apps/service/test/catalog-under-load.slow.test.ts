import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DeploymentEventIngest, headerNames } from '@shiplog/contract';
import {
  anEvent,
  countWaiting,
  metricsOf,
  openTransaction,
  testDatabase,
  testFolder,
  testService,
  until,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';
import { foldAll } from './support/folding.ts';
import { post } from './support/posting.ts';

/** Two catalogs for a log of `service-0` to `service-5`: each team's services, and the team of all others. */
const catalogs = {
  first: { teams: { core: [0, 1, 2], edge: [3, 4], leaving: [5] }, others: 'core' },
  second: { teams: { core: [1, 3, 5], edge: [0, 2, 4] }, others: 'edge' },
} as const;
type Name = keyof typeof catalogs;

function textOf(name: Name): string {
  const { teams, others } = catalogs[name];
  const named = Object.entries(teams).flatMap(([team, numbers]) =>
    numbers.map((number: number) => ({ name: `service-${number}`, team })),
  );
  return JSON.stringify({
    services: [...named, { name: '*', team: others }],
    presets: [{ name, view: 'board', query: 'teams=core' }],
  });
}

/** An instance, the catalogs written to its file in order, and how many of them it is known to have loaded. */
interface Instance {
  readonly url: string;
  readonly path: string;
  readonly written: Name[];
  taken: number;
}

const services = [0, 1, 2, 3, 4, 5];
const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
const period = `from=${day}&to=${day}T23:00:00Z`;

/** Rows of a past day. Service n has 2^n successes, so that a sum of successes identifies the services. */
function history(): DeploymentEventIngest[] {
  return services.flatMap((number) => {
    const of = (fields: Partial<DeploymentEventIngest>) =>
      anEvent({ service: `service-${number}`, environment: 'prod', happened_at: `${day}T08:00:00Z`, ...fields });
    const successes = Array.from({ length: 2 ** number }, (_, n) => of({ version: `1.${n}` }));
    return [
      of({ status: 'failure', happened_at: `${day}T07:00:00Z` }),
      ...successes,
      of({ status: 'in-progress', happened_at: `${day}T09:00:00Z` }),
    ];
  });
}

/** The service names in a response. */
const namesIn = (items: readonly { readonly service: string | null }[]) => new Set(items.map(({ service }) => service));

interface Question {
  readonly path: string;
  /** The catalog that the whole response is computed with; `undefined` if no single catalog matches. */
  readonly nameOf: (body: Body) => Name | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the responses of many calls, with only some members checked
type Body = any;

/** The catalog in which the team has exactly these services. */
function ofTeam(team: 'core' | 'leaving', names: ReadonlySet<string | null>): Name | undefined {
  return (Object.keys(catalogs) as Name[]).find((name) => {
    const teams: Readonly<Record<string, readonly number[]>> = catalogs[name].teams;
    const own = teams[team];
    return own?.length === names.size && own.every((number) => names.has(`service-${number}`));
  });
}

const core = (path: string, items: (body: Body) => { service: string }[]): Question => ({
  path: `${path}teams=core`,
  nameOf: (body) => ofTeam('core', namesIn(items(body))),
});

/** The services with this total number of successes. */
const summed = (count: number) =>
  new Set(services.filter((number) => (count >> number) % 2 === 1).map((number) => `service-${number}`));
const successesIn = (body: Body) => body.statuses.find((each: Body) => each.status === 'success')?.count ?? 0;

const questions: Readonly<Record<string, Question>> = {
  catalog: {
    path: '/api/catalog',
    nameOf: ({ items, presets }) => {
      const name = presets[0]?.name as Name;
      const teams = new Map<string, string>(
        Object.entries(catalogs[name].teams).flatMap(([team, numbers]) =>
          numbers.map((number: number) => [`service-${number}`, team] as const),
        ),
      );
      const isOfIt = (item: Body) => item.team === (teams.get(item.service) ?? catalogs[name].others);
      return items.every(isOfIt) ? name : undefined;
    },
  },
  counts: {
    path: `/api/analytics/status-distribution?${period}&teams=core`,
    nameOf: (body) => ofTeam('core', summed(successesIn(body))),
  },
  'counts of a team that is removed': {
    path: `/api/analytics/status-distribution?${period}&teams=leaving`,
    // The second catalog does not know the team.
    nameOf: (body) => ('statuses' in body ? ofTeam('leaving', summed(successesIn(body))) : 'second'),
  },
  incidents: core(`/api/analytics/incidents?${period}&`, ({ incidents }) => incidents),
  stability: core(`/api/analytics/stability?${period}&`, ({ slots }) => slots),
  evidence: core(`/api/analytics/evidence/deployment_frequency?${period}&limit=500&`, ({ items }) => items),
  differences: core('/api/environments/diff?from=prod&to=load&', ({ items }) => items),
  findings: core('/api/quality?kind=stuck&limit=500&', ({ findings }) => findings),
};

/** Sends one request to one instance repeatedly, and checks each response against the catalogs that its file had. */
class Asker {
  readonly title: string;
  /** The responses that match none of the possible catalogs. */
  readonly faults: unknown[] = [];
  readonly statuses = new Set<number>();
  /** By catalog, the ETag of the last response computed with it; `null` for a refusal, which has no ETag. */
  readonly told = new Map<string, string | null>();
  readonly #instance: Instance;
  readonly #question: Question;
  #last: { readonly etag: string; readonly name: string } | undefined;

  constructor(instance: Instance, title: string, question: Question) {
    this.#instance = instance;
    this.title = title;
    this.#question = question;
  }

  /**
   * One call, with the last ETag received. A 304 counts as the response that had this ETag, and a busy service is asked
   * again in a later call.
   */
  async ask(): Promise<void> {
    const { url, written, taken } = this.#instance;
    const last = this.#last;
    const response = await fetch(url + this.#question.path, {
      headers: last ? { [headerNames.ifNoneMatch]: last.etag } : {},
    });
    const text = await response.text();
    const possible: readonly string[] = written.slice(taken - 1);
    const { status } = response;
    if (status === 503 && response.headers.has('retry-after')) return;
    this.statuses.add(status);
    const name = status === 304 ? last?.name : this.#nameOf(status, text);
    if (name === undefined || !possible.includes(name)) this.faults.push({ title: this.title, status, text, possible });
    if (status === 304 || name === undefined) return;
    const etag = response.headers.get('etag');
    this.told.set(name, etag);
    if (etag !== null) this.#last = { etag, name };
  }

  #nameOf(status: number, text: string): Name | undefined {
    const isAnswer = status === 200 || status === 422;
    return isAnswer ? this.#question.nameOf(JSON.parse(text)) : undefined;
  }
}

function askersOf(instance: Instance): Asker[] {
  return Object.entries(questions).map(([title, question]) => new Asker(instance, title, question));
}

/** Posts events of today, for services that are in the log and for others. */
function poster({ url }: Instance) {
  const own = {
    posted: 0,
    refused: [] as number[],
    async post(): Promise<void> {
      const service = own.posted % 2 === 0 ? `service-${own.posted % 12}` : `later-${own.posted % 40}`;
      const event = anEvent({ service, environment: 'load', status: 'pending', happened_at: new Date().toISOString() });
      const { status } = await post(url, event);
      if (status === 201) own.posted += 1;
      else own.refused.push(status);
    },
  };
  return own;
}

/** Two instances on one log, each with its own catalog file. Both files contain the first catalog. */
async function catalogued(): Promise<{ databaseUrl: string; instances: Instance[] }> {
  const { url: databaseUrl } = await testDatabase();
  await appendAll(databaseUrl, history());
  // Otherwise the first responses would wait for the history, for too long on a busy machine.
  await foldAll(databaseUrl);
  const start = async () => {
    const path = join(await testFolder(), 'catalog.yaml');
    await writeFile(path, textOf('first'));
    const config = { catalogFile: path };
    const { url } = await testService({ databaseUrl, config, times: { catalogPollMs: 1 } });
    return { url, path, written: ['first'], taken: 1 } satisfies Instance;
  };
  return { databaseUrl, instances: [await start(), await start()] };
}

/** Replaces the file with a catalog; resolves when it is loaded. */
async function exchange(instance: Instance, name: Name): Promise<void> {
  const text = textOf(name);
  instance.written.push(name);
  await writeFile(`${instance.path}.new`, text);
  await rename(`${instance.path}.new`, instance.path);
  const digest = createHash('sha256').update(text).digest('hex');
  const isLoaded = (metrics: string) => metrics.includes(`shiplog_catalog_info{digest="${digest}"} 1\n`);
  await until(async () => isLoaded(await (await fetch(`${instance.url}/metrics`)).text()));
  instance.taken = instance.written.length;
}

/** Damages the file; resolves when the service has noticed it. */
async function spoil(instance: Instance, work: (path: string) => Promise<void>): Promise<void> {
  const before = (await metricsOf(instance.url)).catalogFaults;
  await work(instance.path);
  await until(async () => (await metricsOf(instance.url)).catalogFaults === before + 1);
}

/** Changes of a file, in order. */
const fates: readonly ((instance: Instance) => Promise<void>)[] = [
  (instance) => exchange(instance, 'second'),
  (instance) => spoil(instance, (path) => writeFile(path, textOf('first').slice(0, -1))),
  (instance) => exchange(instance, 'first'),
  (instance) => spoil(instance, (path) => rm(path)),
  (instance) => exchange(instance, 'second'),
  (instance) => spoil(instance, (path) => writeFile(path, 'services: [{ team: core }]')),
  (instance) => spoil(instance, (path) => rm(path)),
  (instance) => exchange(instance, 'first'),
];

/** Repeats all calls until the work has ended, and then once more. */
async function during(work: Promise<void>, callers: readonly (() => Promise<void>)[]): Promise<void> {
  let over = false;
  const keepsCalling = async (call: () => Promise<void>) => {
    do await call();
    while (!over);
    await call();
  };
  await Promise.all([
    work.finally(() => {
      over = true;
    }),
    ...callers.map(keepsCalling),
  ]);
}

/** Checks that each response uses one of the two catalogs and is not a 5xx. */
function expectWhole(askers: readonly Asker[]): void {
  expect(askers.flatMap(({ faults }) => faults)).toEqual([]);
  for (const { title, told, statuses } of askers) {
    expect([title, ...told.keys()].toSorted()).toEqual([title, 'first', 'second'].toSorted());
    expect([...statuses].filter((status) => ![200, 304, 422].includes(status))).toEqual([]);
    expect(told.get('first')).not.toEqual(told.get('second'));
  }
}

test('each response uses one valid catalog while files are replaced, damaged and removed under load', async () => {
  const { instances } = await catalogued();
  const askers = instances.flatMap(askersOf);
  const posters = instances.map(poster);
  const callers = [...askers.map((asker) => () => asker.ask()), ...posters.map((each) => () => each.post())];
  for (const fate of fates) {
    for (const instance of instances) await during(fate(instance), callers);
  }
  expectWhole(askers);
  for (const { posted, refused } of posters) {
    expect(refused).toEqual([]);
    expect(posted).toBeGreaterThan(fates.length);
  }
});

test('a catalog that is loaded while a response is being computed does not affect this response', async () => {
  const { databaseUrl, instances } = await catalogued();
  const askers = instances.flatMap(askersOf);
  const askAll = () => Promise.all(askers.map((asker) => asker.ask()));
  await askAll();
  // Requests for a catalog or a team first read the services from the database.
  const held = await openTransaction(databaseUrl, 'lock table latest_deployments in access exclusive mode');
  const asked = askAll();
  await until(async () => (await countWaiting(databaseUrl)) === askers.length);
  // All instances load the catalog at the same time, because the wait for the database is limited.
  await Promise.all(instances.map((instance) => exchange(instance, 'second')));
  await held.query('rollback');
  await asked;
  await askAll();
  expectWhole(askers);
});
