import { type Mock, startMock } from '@shiplog/mock';
import { createLogger } from '@shiplog/server';
import { testKeys } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { DriverConfig } from '../../src/config.ts';
import { TestDriver } from './driver.ts';

/** A mock, and a driver that posts to it. */
export async function mockBehindDriver(
  config: Partial<DriverConfig> = {},
): Promise<{ readonly mock: Mock; readonly driver: TestDriver }> {
  const mock = await startMock({
    config: { port: 0, host: '127.0.0.1', apiKeys: [testKeys.api], problemBase: '/problems', logLevel: 'silent' },
    logger: createLogger('silent'),
  });
  onTestFinished(() => mock.stop());
  const nowhere = 'http://127.0.0.1:9';
  const driver = await TestDriver.start({
    config: {
      keys: testKeys,
      neighbours: { writeApiUrl: mock.url, emulatorUrl: nowhere, fetcherUrl: nowhere },
      ...config,
    },
  });
  return { mock, driver };
}
