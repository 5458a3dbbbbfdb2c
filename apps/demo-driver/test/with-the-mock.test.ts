import { startMock } from '@shiplog/mock';
import { createLogger } from '@shiplog/server';
import { testKeys } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { demoSetArrives } from './support/demo-set.ts';
import { TestDriver } from './support/driver.ts';

async function pair() {
  const mock = await startMock({
    config: { port: 0, host: '127.0.0.1', apiKeys: [testKeys.api], problemBase: '/problems', logLevel: 'silent' },
    logger: createLogger('silent'),
  });
  onTestFinished(() => mock.stop());
  const nowhere = 'http://127.0.0.1:9';
  const driver = await TestDriver.start({
    config: { keys: testKeys, neighbours: { writeApiUrl: mock.url, emulatorUrl: nowhere, fetcherUrl: nowhere } },
  });
  return { mock, driver };
}

test('the demo set arrives on the deployment stream, whole and in its order', async () => {
  const { mock, driver } = await pair();
  await demoSetArrives(driver, mock.url);
});

test('a mock, which has no control plane, is up, and its refusal of a reset is told', async () => {
  const { driver } = await pair();
  expect((await driver.call('GET', '/demo/health')).json).toMatchObject({ driver: 'up', api: 'up', emulator: 'down' });
  expect((await driver.post('/demo/api-reset')).json).toEqual({ ok: false, http_status: 404 });
});
