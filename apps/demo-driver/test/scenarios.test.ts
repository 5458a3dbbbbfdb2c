import { StartError } from '@shiplog/server';
import { expect, test } from 'vitest';
import { anItem, drivenUpstream, items, scenarioFolder } from './support/driver.ts';

test('every valid file is a scenario, in addition to the built-in one', async () => {
  const scenariosDir = await scenarioFolder({
    'b.json': { events: [] },
    'a b.json': { events: items(2), about: 'two' },
    'notes.txt': 'not one',
  });
  const { driver } = await drivenUpstream({ config: { scenariosDir } });
  expect((await driver.call('GET', '/demo/scenarios')).json).toEqual({ items: ['a b', 'b', 'demo-set'] });
});

test('the built-in scenario overrides a file with its name', async () => {
  const scenariosDir = await scenarioFolder({ 'demo-set.json': { events: items(1) } });
  const { driver } = await drivenUpstream({ config: { scenariosDir } });
  expect(await driver.status()).toMatchObject({ events_total: 47 });
  expect((await driver.post('/demo/scenarios/demo-set/run')).json).toMatchObject({ events_total: 47 });
});

test.each<[string, unknown, string]>([
  ['text that is not JSON', '{"events": [', 'bad.json: is not JSON at line 1, column 13'],
  ['no events', {}, 'bad.json: /events is required'],
  ['a bad status', { events: [anItem(), anItem({ status: 'done' })] }, 'bad.json: /events/1/status must be one of'],
  ['an unknown field', { events: [anItem({ colour: 'red' })] }, 'bad.json: /events/0/colour is not a known field'],
  ['a time in an event', { events: [anItem({ happened_at: '2026-05-04T09:00:00Z' })] }, '/events/0/happened_at'],
  ['a negative age', { events: [anItem({ elapsed_minutes: -1 })] }, '/events/0/elapsed_minutes'],
])('a file with %s is left out, and the position of its error is logged', async (_, content, place) => {
  const scenariosDir = await scenarioFolder({ 'bad.json': content, 'good.json': { events: items(1) } });
  const { driver } = await drivenUpstream({ config: { scenariosDir } });
  expect((await driver.call('GET', '/demo/scenarios')).json).toEqual({ items: ['demo-set', 'good'] });
  expect((await driver.post('/demo/scenarios/bad/run')).status).toBe(404);
  expect(driver.logged('skipping a scenario')).toEqual([expect.stringContaining(place)]);
});

test('a missing folder prevents the start, with a sentence', async () => {
  const start = drivenUpstream({ config: { scenariosDir: '/nowhere/at/all' } });
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow(/^SCENARIOS_DIR is "\/nowhere\/at\/all", .*\.$/);
});

test('a scenario without events ends at once', async () => {
  const scenariosDir = await scenarioFolder({ 'empty.json': { events: [] } });
  const { driver, upstream } = await drivenUpstream({ config: { scenariosDir } });
  await driver.post('/demo/scenarios/empty/run');
  await upstream.until(() => upstream.reports.length === 2);
  expect(await driver.status()).toMatchObject({ scenario: 'empty', state: 'done', events_total: 0, events_sent: 0 });
});
