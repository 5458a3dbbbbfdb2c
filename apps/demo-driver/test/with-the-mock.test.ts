import { expect, test } from 'vitest';
import { testMock } from '../../mock/test/support/mock.ts';
import { demoSetArrives } from './support/demo-set.ts';
import { driverOf } from './support/driver.ts';

test('the whole demo set arrives on the deployment stream in order', async () => {
  const { url } = await testMock();
  await demoSetArrives(await driverOf(url), url);
});

test('the mock, which has no control plane, is reported as up, and its refusal of a reset is shown', async () => {
  const driver = await driverOf((await testMock()).url);
  expect((await driver.call('GET', '/demo/health')).json).toMatchObject({ driver: 'up', api: 'up', emulator: 'down' });
  expect((await driver.post('/demo/api-reset')).json).toEqual({ ok: false, http_status: 404 });
});
