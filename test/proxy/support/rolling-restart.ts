import { freePort, ProgramProcess, testDatabase, testKeys } from '@shiplog/testing';
import { expect } from 'vitest';
import { storedEvents } from '../../../apps/service/test/support/stored.ts';
import { checkLog } from '../../faults/checks/log.ts';
import { Browser, type Delivery, Pipelines } from './load.ts';
import { startProxy } from './proxy.ts';
import type { ProxyKind } from './proxy-kinds.ts';

interface RollingRestart {
  readonly instances: number;
  /** How many times to restart all instances. */
  readonly times: number;
  /** The number of readers without a filter. Two more readers each filter by one service. */
  readonly readers: number;
  readonly pipelines: number;
  /** The delay between two posts of a pipeline. */
  readonly everyMs: number;
  /** The number of posts stored between two restarts. */
  readonly postsBetween: number;
}

/** The measurements; times in ms. */
interface RestartFigures {
  readonly posts: number;
  /** The statuses of the retried attempts; 0 means no response. */
  readonly refused: readonly number[];
  /** The time from the first attempt to the 201. */
  readonly postP99Ms: number;
  readonly longestPostMs: number;
  readonly reconnects: number;
  readonly longestReconnectMs: number;
  /** The time from a 201 until a reader has the frame, including any restarts in between. */
  readonly frameP99Ms: number;
  readonly longestFrameMs: number;
}

/**
 * Restarts all instances behind a proxy one at a time, as docs/operations.md describes, while pipelines post and
 * browsers read. @throws if an event is lost, duplicated or out of order.
 */
export async function rollingRestart(proxy: ProxyKind, run: RollingRestart): Promise<RestartFigures> {
  const { url: databaseUrl } = await testDatabase();
  const ports: number[] = [];
  while (ports.length < run.instances) ports.push(await freePort());
  const instances = ports.map((port) => spawnInstance(databaseUrl, port));
  for (const instance of instances) await instance.ready();
  const { url } = await startProxy(proxy, ports);

  const services = Array.from({ length: run.pipelines }, (_, n) => `service-${n}-ä`);
  const filters = [...services.slice(0, 2), ...Array<undefined>(run.readers).fill(undefined)];
  const browsers = filters.map((service, n) => new Browser(url, `browser ${n}`, service));
  const pipelines = new Pipelines(url, services, run.everyMs);
  for (let n = 0; n < run.times * run.instances; n += 1) {
    await pipelines.delivers(run.postsBetween);
    // A reader whose instance restarts while it catches up would have to reconnect twice.
    await Promise.all(browsers.map((browser) => browser.reaches(pipelines.newest(browser.reading.service) ?? '')));
    const place = n % run.instances;
    expect(await instances[place]?.terminate()).toBe(0);
    instances[place] = spawnInstance(databaseUrl, ports[place] ?? 0);
    await instances[place]?.ready();
  }
  await pipelines.delivers(run.postsBetween);
  await pipelines.stop();
  await expectWhole(databaseUrl, pipelines, browsers);
  expect(browsers.every(({ gapsMs }) => gapsMs.length > 0)).toBe(true);
  return figuresOf(pipelines.deliveries, browsers);
}

export function spawnInstance(databaseUrl: string, port: number): ProgramProcess {
  return ProgramProcess.spawn('service', {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
  });
}

/** Expects the log to contain every acknowledged post and every received frame, once and in order. */
async function expectWhole(databaseUrl: string, { posts }: Pipelines, browsers: readonly Browser[]): Promise<void> {
  const log = await storedEvents(databaseUrl);
  const events = log.map(({ id, deployment_id, service }) => ({ id, key: deployment_id, service, digest: '' }));
  for (const browser of browsers) {
    const { service } = browser.reading;
    await browser.reaches(events.findLast((event) => (service ?? event.service) === event.service)?.id ?? '');
    await browser.close();
  }
  const readings = browsers.map(({ reading }) => reading);
  expect(checkLog({ posts, readings, events, log: new Set(log.map(({ id }) => id)), clearings: [] })).toEqual([]);
}

function figuresOf(deliveries: readonly Delivery[], browsers: readonly Browser[]): RestartFigures {
  const answeredAt = new Map(deliveries.map(({ id, answeredAt }) => [id, answeredAt]));
  const frameMs = ascending(
    browsers.flatMap(({ reading }) =>
      reading.ids.map(
        (id, n) => (reading.arrivedAt[n] ?? Number.NaN) - (answeredAt.get(id) ?? Number.POSITIVE_INFINITY),
      ),
    ),
  );
  const postMs = ascending(deliveries.map(({ ms }) => ms));
  const gapsMs = ascending(browsers.flatMap((browser) => browser.gapsMs));
  return {
    posts: deliveries.length,
    refused: deliveries.flatMap(({ refusals }) => refusals),
    postP99Ms: rank(postMs, 0.99),
    longestPostMs: rank(postMs, 1),
    reconnects: gapsMs.length,
    longestReconnectMs: rank(gapsMs, 1),
    frameP99Ms: rank(frameMs, 0.99),
    longestFrameMs: rank(frameMs, 1),
  };
}

function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

function rank(values: Float64Array, share: number): number {
  return Math.round(values[Math.ceil(share * values.length) - 1] ?? Number.NaN);
}
