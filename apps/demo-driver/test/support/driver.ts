import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoStatus, driverStreams } from '@shiplog/companions';
import { StreamReader, TestClock, testFolder, testKeys, testLogger } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import { type DriverConfig, readConfig } from '../../src/config.ts';
import { type DriverOptions, type DriverTimes, startDriver } from '../../src/driver.ts';
import { Upstream } from './upstream.ts';

export interface TestDriverOptions {
  readonly config?: Partial<DriverConfig>;
  readonly times?: Partial<DriverTimes>;
  readonly clock?: DriverOptions['clock'];
  /** Whether subscriptions reconnect with the production backoff; the default is a short backoff for tests. */
  readonly ownBackoff?: boolean;
}

/** A complete driver in this process with its log; stopped at the end of the test. */
export class TestDriver {
  readonly url: string;
  readonly log: readonly string[];
  readonly stop: () => Promise<void>;

  static async start({ config, times, clock, ownBackoff = false }: TestDriverOptions): Promise<TestDriver> {
    const log: string[] = [];
    const driver = await startDriver({
      config: { ...readConfig({}), port: 0, keys: testKeys, ...config },
      logger: testLogger({ write: (line) => void log.push(line) }),
      times: { ...(ownBackoff ? {} : { backoffMinMs: 1, backoffMaxMs: 1 }), ...times },
      ...(clock ? { clock } : {}),
    });
    onTestFinished(async () => {
      const stopped = driver.stop();
      if (clock instanceof TestClock) clock.end();
      await stopped;
    });
    return new TestDriver(driver.url, log, driver.stop);
  }

  private constructor(url: string, log: readonly string[], stop: () => Promise<void>) {
    this.url = url;
    this.log = log;
    this.stop = stop;
  }

  /** The log lines that contain a text. */
  logged(text: string): string[] {
    return this.log.filter((line) => line.includes(text));
  }

  /** The response, with its body as text and, if it is JSON, parsed. */
  async call(method: string, path: string, init: Omit<RequestInit, 'method'> = {}) {
    const response = await fetch(`${this.url}${path}`, { redirect: 'manual', ...init, method });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
  }

  /** Posts JSON, or no body. */
  post(path: string, body?: unknown) {
    return this.call('POST', path, body === undefined ? {} : { body: JSON.stringify(body) });
  }

  async status(): Promise<DemoStatus> {
    return (await this.call('GET', '/demo/status')).json as DemoStatus;
  }

  feed(name: keyof typeof driverStreams, headers: Readonly<Record<string, string>> = {}): Promise<StreamReader> {
    return StreamReader.open({ url: `${this.url}${driverStreams[name].path}`, headers });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A driver that posts to this service or mock; the other programs that it calls aren't running. */
export function driverOf(writeApiUrl: string, config: Partial<DriverConfig> = {}): Promise<TestDriver> {
  const nowhere = 'http://127.0.0.1:9';
  return TestDriver.start({
    config: { neighbours: { writeApiUrl, emulatorUrl: nowhere, fetcherUrl: nowhere }, ...config },
  });
}

/** A driver with a test clock. One scripted server acts as its service, emulator and fetcher. */
export async function drivenUpstream(
  options: TestDriverOptions = {},
): Promise<{ driver: TestDriver; upstream: Upstream; clock: TestClock }> {
  const upstream = await Upstream.open();
  const clock = new TestClock();
  const { url } = upstream;
  const neighbours = { writeApiUrl: url, emulatorUrl: url, fetcherUrl: url };
  const driver = await TestDriver.start({ clock, ...options, config: { neighbours, ...options.config } });
  return { driver, upstream, clock };
}

/** A folder with these scenario files; removed at the end of the test. */
export async function scenarioFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await testFolder();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** An item of a scenario; fields that are not given have default values. */
export function anItem(fields: object = {}): object {
  return {
    deployment_id: 'deployment-1',
    service: 'payments-api',
    environment: 'staging',
    status: 'success',
    elapsed_minutes: 0,
    ...fields,
  };
}

/** This number of items, each with a separate deployment. */
export function items(count: number): object[] {
  return Array.from({ length: count }, (_, index) => anItem({ deployment_id: `deployment-${index + 1}` }));
}
