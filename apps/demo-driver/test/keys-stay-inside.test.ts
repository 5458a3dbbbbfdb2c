import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { driverEndpoints } from '@shiplog/companions';
import { developmentKeys } from '@shiplog/server';
import { answers, cuts, hangs } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { appFolder } from '../src/config.ts';
import { drivenUpstream } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const secrets = /secret-of-/;

test('responses, feeds and log lines never contain a key, whatever fails', async () => {
  const { driver, upstream, clock } = await drivenUpstream({ times: { attemptTimeoutMs: 500, proxyTimeoutMs: 500 } });
  const said: string[] = [];
  const feeds = await Promise.all((['posted', 'control', 'components'] as const).map((name) => driver.feed(name)));
  for (const act of [cuts, answers(500, '{}'), answers(401, '{}'), hangs]) {
    for (const route of [routes.post, routes.reset, routes.deployments]) upstream.script(route, act);
    upstream.script(routes.report, act === hangs ? answers(204) : act);
    const posts = upstream.posts.length;
    await driver.post('/demo/ingest');
    await upstream.until(() => upstream.posts.length > posts);
    for (const { method, path } of Object.values(driverEndpoints)) {
      if (/stream$|control-events$/.test(path)) continue;
      const { text, headers } = await driver.call(method, path.replace('{name}', 'demo-set'));
      said.push(text, JSON.stringify([...headers]));
    }
    said.push((await driver.call('GET', '/demo/deployments-stream')).text);
    await driver.post('/demo/reset');
  }
  for (const page of ['/demo/', '/docs', '/openapi.json', '/problems/upstream']) {
    said.push((await driver.call('GET', page)).text);
  }
  for (const route of [routes.control, routes.components]) {
    upstream.script(route, cuts, answers(401, '{}'));
    upstream.end(route);
    await upstream.until(() => upstream.of(route).length > 3);
  }
  clock.end();
  await driver.stop();
  for (const feed of feeds) said.push(feed.text);
  expect(said.length).toBeGreaterThan(100);
  for (const text of [...said, ...driver.log]) expect(text).not.toMatch(secrets);
  // The keys were sent only to the calls that need them.
  expect(upstream.of(routes.post)[0]?.headers['x-api-key']).toMatch(secrets);
});

test('no panel file contains a key, not even a development key', async () => {
  const { driver } = await drivenUpstream();
  const files = readdirSync(join(appFolder, 'panel/dist'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.includes('.'))) {
    const { text } = await driver.call('GET', `/demo/${file}`);
    for (const key of Object.values(developmentKeys)) expect([file, text.includes(key)]).toEqual([file, false]);
  }
});

test("access §9.10: the driver reads with its own key and never forwards a reader's credentials", async () => {
  const { driver, upstream } = await drivenUpstream();
  upstream.script(routes.deployments, answers(200, ''));
  const credentials = { cookie: '__Host-shiplog=of-a-reader', authorization: 'Bearer of-a-reader' };
  await driver.call('GET', '/demo/deployments-stream', { headers: credentials });
  const [read] = upstream.of(routes.deployments);
  expect(read?.headers['x-api-key']).toMatch(secrets);
  for (const { headers } of upstream.received) {
    for (const name of ['cookie', 'authorization']) expect(headers).not.toHaveProperty(name);
  }
});
