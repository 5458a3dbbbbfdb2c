import { expect, test } from 'vitest';
import { demoSetArrives } from './support/demo-set.ts';
import { mockBehindDriver } from './support/mock.ts';

test('the demo set arrives on the deployment stream, whole and in its order', async () => {
  const { mock, driver } = await mockBehindDriver();
  await demoSetArrives(driver, mock.url);
});

test('a mock, which has no control plane, is up, and its refusal of a reset is told', async () => {
  const { driver } = await mockBehindDriver();
  expect((await driver.call('GET', '/demo/health')).json).toMatchObject({ driver: 'up', api: 'up', emulator: 'down' });
  expect((await driver.post('/demo/api-reset')).json).toEqual({ ok: false, http_status: 404 });
});
