import { type DeploymentEvent, nilId } from '@shiplog/contract';
import {
  anEvent,
  postStored,
  type RunningService,
  runSql,
  StreamReader,
  seededRandom,
  testService,
  until,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';
import { cutListeners, type LeverDatabase, leverDatabase } from './support/levers.ts';
import { storedEvents } from './support/stored.ts';

const times = { heartbeatMs: 15_000, pollMs: 50, stalledMs: 600_000 };
const services = ['accounts', 'billing', 'catalogue', 'delivery'];
const writerCount = 8;
const postsPerWriter = 50;
const seed = Math.floor(Math.random() * 2 ** 31);

/** Instances on one database. A test can replace one of them while readers choose among them. */
class Fleet {
  readonly urls: string[] = [];
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(): Promise<RunningService> {
    const instance = await testService({ databaseUrl: this.#databaseUrl, times });
    this.urls.push(instance.url);
    return instance;
  }

  async replace(instance: RunningService): Promise<void> {
    this.urls.splice(this.urls.indexOf(instance.url), 1);
    await Promise.all([instance.stop(), this.start()]);
  }
}

/**
 * Faults that are injected one at a time while events are written, because an instance can't start while listeners are
 * cut.
 */
function disturbances(database: LeverDatabase, fleet: Fleet, doomed: RunningService): (() => Promise<unknown>)[] {
  return [
    () => cutListeners(database.url),
    () => database.loseNotices(true),
    () => database.offsetClock(-1),
    () => fleet.replace(doomed),
    () => cutListeners(database.url),
    // Moves the last id ten years ahead, as if the clock had been wrong before.
    () => runSql(database.url, 'update log_heads set last_tick = last_tick + (315360000000::bigint << 12)'),
    () => database.offsetClock(2),
    () => database.loseNotices(false),
    () => cutListeners(database.url),
  ];
}

/** Runs eight concurrent writers on the given instances. Returns the events in the responses. */
async function write(urls: readonly string[], disturb: (() => Promise<unknown>)[]): Promise<DeploymentEvent[]> {
  const answered: DeploymentEvent[] = [];
  const waiting = [...disturb];
  let disturbed: Promise<unknown> = Promise.resolve();
  const postsBetween = Math.floor((writerCount * postsPerWriter) / (disturb.length + 1));
  const writer = async (number: number) => {
    for (let n = 0; n < postsPerWriter; n++) {
      const url = urls[(number + n) % urls.length] ?? '';
      answered.push(await postStored(url, anEvent({ service: services[(number * n) % services.length] ?? '' })));
      if (answered.length % postsBetween === 0) disturbed = disturbed.then(() => waiting.shift()?.());
    }
  };
  await Promise.all(Array.from({ length: writerCount }, (_, number) => writer(number)));
  await disturbed;
  return answered;
}

/** The deployment that ends a run: one in each filtered service, then one in the service of this name. */
const theEnd = 'the-end';
const framesPerVisitMax = 40;

interface Rover {
  /** The current URLs of the instances; may change while the reader runs. */
  readonly urls: readonly string[];
  readonly random: () => number;
  readonly service: string | undefined;
  readonly after: string | undefined;
}

/** A reader that repeatedly disconnects and resumes on any instance with the id of its last frame, until `theEnd`. */
function rovingReader({ urls, random, service, after }: Rover) {
  const seen = { service, events: [] as DeploymentEvent[], ids: [] as string[], visits: 0 };
  const isEnd = (last: DeploymentEvent | undefined) =>
    last?.deployment_id === theEnd && last.service === (service ?? theEnd);
  const rove = async () => {
    while (!isEnd(seen.events.at(-1))) {
      const url = `${urls[Math.floor(random() * urls.length)]}/api/events/stream`;
      const lastEventId = seen.ids.at(-1) ?? after;
      const reader = await StreamReader.connect({
        url: service === undefined ? url : `${url}?service=${service}`,
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      }).catch(() => undefined);
      // The instance has just stopped.
      if (!reader) continue;
      seen.visits += 1;
      const most = 1 + Math.floor(random() * framesPerVisitMax);
      await reader.until(
        ({ frames, ended }) => ended || frames.length >= most || isEnd(JSON.parse(frames.at(-1)?.data ?? 'null')),
      );
      reader.close();
      seen.events.push(...reader.frames.map(({ data }): DeploymentEvent => JSON.parse(data)));
      seen.ids.push(...reader.ids);
    }
  };
  return { seen, ended: rove() };
}

function byId(left: DeploymentEvent, right: DeploymentEvent): number {
  return left.id < right.id ? -1 : 1;
}

test(`a reader that is cut and resumes on any instance gets every event once, in order (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const database = await leverDatabase();
  const fleet = new Fleet(database.url);
  const first = await fleet.start();
  const second = await fleet.start();
  const doomed = await fleet.start();
  const [everything, billing, delivery, nobody] = [undefined, 'billing', 'delivery', 'nobody'];
  const live = [everything, billing].map((service) => ({ service, after: undefined }));
  const replayed = [everything, everything, delivery, nobody].map((service) => ({ service, after: nilId }));
  const readers = [...live, ...replayed].map((reader) => rovingReader({ urls: fleet.urls, random, ...reader }));
  await until(async () => readers.every(({ seen }) => seen.visits > 0));
  const answered = await write([first.url, second.url], disturbances(database, fleet, doomed));
  for (const service of ['billing', 'delivery', 'nobody', theEnd]) {
    answered.push(await postStored(second.url, anEvent({ deployment_id: theEnd, service })));
  }
  await Promise.all(readers.map(({ ended }) => ended));

  const stored = await storedEvents(database.url);
  expect(stored).toEqual(answered.toSorted(byId));
  for (const { seen } of readers) {
    const { service, ids, events } = seen;
    const due = stored.filter((event) => service === undefined || event.service === service);
    expect(ids, `reader of ${service}`).toEqual(due.map((event) => event.id));
    expect(events).toEqual(due);
  }
  expect(readers[0]?.seen.visits).toBeGreaterThan(10);
});

test.each([
  ['in number', 1200, []],
  ['in bytes', 400, Array.from({ length: 32 }, (_, n) => `${n}`.padStart(190, 'p'))],
])('a replay longer than two pages %s needs neither a notification nor a poll', async (_, count, parents) => {
  const database = await leverDatabase();
  const instance = await testService({ databaseUrl: database.url, times: { ...times, pollMs: 3_600_000 } });
  const ids = await appendAll(
    database.url,
    Array.from({ length: count }, () => anEvent({ parent_deployments: parents })),
  );
  const headers = { 'last-event-id': nilId };
  const reader = await StreamReader.open({ url: `${instance.url}/api/events/stream`, headers });
  await reader.take(ids.length);
  expect(reader.ids).toEqual(ids);
});

test('a replay for a service whose events are many pages apart finds all its events and then continues live', async () => {
  const database = await leverDatabase();
  const instance = await testService({ databaseUrl: database.url, times });
  const rare = anEvent({ service: 'rare' });
  const ids = await appendAll(database.url, [...Array.from({ length: 1200 }, () => anEvent()), rare]);
  const open = (service: string) =>
    StreamReader.open({
      url: `${instance.url}/api/events/stream?service=${service}`,
      headers: { 'last-event-id': nilId },
    });
  const [reader, idle] = await Promise.all([open('rare'), open('nobody')]);
  await reader.take(1);
  const live = [await postStored(instance.url, rare), await postStored(instance.url, anEvent({ service: 'nobody' }))];
  await Promise.all([reader.take(2), idle.take(1)]);
  expect(reader.ids).toEqual([ids.at(-1), live[0]?.id]);
  expect(idle.ids).toEqual([live[1]?.id]);
});

test("ids keep ascending when the database's clock steps back", async () => {
  const database = await leverDatabase();
  const instance = await testService({ databaseUrl: database.url, times });
  const ids: string[] = [];
  for (const hours of [0, 5, -5, 0, 48, 47, -48]) {
    await database.offsetClock(hours);
    for (let n = 0; n < 3; n++) ids.push((await postStored(instance.url, anEvent())).id);
  }
  expect(ids).toEqual([...new Set(ids)].sort());
  // This shows that the lever moved the clock, because the ids are two days later than the first ids.
  const hoursOf = (id = '') => Number.parseInt(id.replace('-', '').slice(0, 12), 16) / 3_600_000;
  expect(hoursOf(ids.at(-1)) - hoursOf(ids[0])).toBeGreaterThan(47);
});
