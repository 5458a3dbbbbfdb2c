import { freePort, ProgramProcess, testDatabase, testKeys } from '@shiplog/testing';
import { expect } from 'vitest';
import { storedEvents } from '../../apps/service/test/support/stored.ts';
import { Browser, type Delivery, Pipelines } from './support/load.ts';
import { startNginx, testBehindNginx } from './support/nginx.ts';

const services = ['payments-api', 'order-svc', 'search', 'mailer', 'ledger', 'zusammenfassung-ä'];
const longestGapMs = 5000;

function spawnInstance(databaseUrl: string, port: number): ProgramProcess {
  return ProgramProcess.spawn('service', {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
  });
}

/** Ends an instance as a system does, and starts another in its place. */
async function restart(databaseUrl: string, port: number, instance: ProgramProcess): Promise<ProgramProcess> {
  expect(await instance.terminate()).toBe(0);
  const next = spawnInstance(databaseUrl, port);
  await next.ready();
  return next;
}

testBehindNginx('a rolling restart under load loses nothing, and no client waits for more than 5 s', async () => {
  const { url: databaseUrl } = await testDatabase();
  const ports = [await freePort(), await freePort()];
  const instances = new Map(ports.map((port) => [port, spawnInstance(databaseUrl, port)]));
  for (const instance of instances.values()) await instance.ready();
  const url = await startNginx([ports[0] ?? 0, ports[1] ?? 0]);

  const browsers = [...services.slice(0, 2), undefined, undefined, undefined].map(
    (service) => new Browser(url, service),
  );
  const pipelines = new Pipelines(url, services);
  for (const [port, instance] of [...instances, ...instances]) {
    await pipelines.delivers(100);
    // The next one goes when the readers of the last one are back (docs/operations.md).
    await Promise.all(browsers.map((browser) => browser.follows()));
    instances.set(port, await restart(databaseUrl, port, instances.get(port) ?? instance));
  }
  await pipelines.delivers(100);
  await pipelines.stop();

  const log = await storedEvents(databaseUrl);
  for (const [index, browser] of browsers.entries()) {
    const due = log.filter(({ service }) => index > 1 || service === services[index]).map(({ id }) => id);
    await browser.reaches(due.at(-1) ?? '');
    await browser.close();
    expect(browser.frames.map(({ id }) => id)).toEqual(due);
  }
  expectDelivered(pipelines.deliveries, log);
  const figures = figuresOf(pipelines.deliveries, browsers);
  process.stderr.write(`proxy: ${JSON.stringify({ ...figures, stored: log.length })}\n`);
  expect(
    browsers.every(({ gapsMs }) => gapsMs.length > 0),
    'every stream was cut',
  ).toBe(true);
  expect(figures.longestPostMs).toBeLessThan(longestGapMs);
  expect(figures.longestReconnectMs).toBeLessThan(longestGapMs);
  expect(figures.longestFrameMs).toBeLessThan(longestGapMs);
});

/** Every 201 is in the log once; an event is there again only where an attempt before the 201 had no clear answer. */
function expectDelivered(deliveries: readonly Delivery[], log: readonly { id: string; deployment_id: string }[]): void {
  const ids = new Set(log.map(({ id }) => id));
  expect(deliveries.filter(({ id }) => !ids.has(id))).toEqual([]);
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(deliveries.length);
  const copies = new Map<string, number>();
  for (const { deployment_id } of log) copies.set(deployment_id, (copies.get(deployment_id) ?? 0) + 1);
  const tooMany = deliveries.filter(
    ({ event, refusals }) => (copies.get(event.deployment_id) ?? 0) > 1 + refusals.length,
  );
  expect(tooMany).toEqual([]);
  expect(copies.size, 'nothing is stored that nobody posted').toBe(deliveries.length);
}

/** The figures of a run; times in ms. */
function figuresOf(deliveries: readonly Delivery[], browsers: readonly Browser[]) {
  const answeredAt = new Map(deliveries.map(({ id, answeredAt }) => [id, answeredAt]));
  const frameMs = browsers.flatMap(({ frames }) => frames.map(({ id, at }) => at - (answeredAt.get(id) ?? at)));
  return {
    posts: deliveries.length,
    refused: deliveries.flatMap(({ refusals }) => refusals).join(' '),
    longestPostMs: Math.round(Math.max(...deliveries.map(({ ms }) => ms))),
    reconnects: browsers.map(({ gapsMs }) => gapsMs.length).join(' '),
    longestReconnectMs: Math.round(Math.max(...browsers.flatMap(({ gapsMs }) => gapsMs))),
    longestFrameMs: Math.round(Math.max(...frameMs)),
  };
}
