import { expect, test } from 'vitest';
import { demoSetArrives } from './support/demo-set.ts';
import { mockBehindDriver } from './support/mock.ts';

test('the whole demo set arrives on the deployment stream in order', async () => {
  const { mock, driver } = await mockBehindDriver();
  await demoSetArrives(driver, mock.url);
});

test('the mock is reported as up although it has no control plane, and its refusal of a reset is shown', async () => {
  const { driver } = await mockBehindDriver();
  expect((await driver.call('GET', '/demo/health')).json).toMatchObject({ driver: 'up', api: 'up', emulator: 'down' });
  expect((await driver.post('/demo/api-reset')).json).toEqual({ ok: false, http_status: 404 });
});
