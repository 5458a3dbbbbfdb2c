import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DeploymentEvent, promotionOrder } from '@shiplog/contract';
import { anEvent, clientOf, inGroups, minute, postStored, testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { documents, ran } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyService } = sharedLog();
const other = sharedLog();

const dayMs = 86_400_000;

/** A log of several past days with equal times, equal rows, a late arrival, parents and a restored failure. */
async function fill(url: string, midnight: number): Promise<void> {
  const at = (n: number) => new Date(midnight - dayMs - n * 7_000_000).toISOString();
  const statuses = ['in-progress', 'success', 'failure', 'waiting', 'cancelled'] as const;
  await inGroups([...Array(520).keys()], (n) => {
    const environment = promotionOrder[n % 5] ?? 'dev';
    return postStored(url, {
      ...anEvent({
        deployment_id: `d-${n >> 2}`,
        service: `s-${n % 3}`,
        environment,
        status: statuses[n % 4] ?? 'success',
      }),
      happened_at: at((n * 7) % 60),
      ...(n % 2 === 0 && { version: `${n % 9}`, actor: `a-${n % 4}` }),
      ...(n > 8 && { parent_deployments: [`d-${(n >> 2) - 1}`] }),
    });
  });
  const twice = anEvent({ happened_at: at(1) });
  for (const status of ['failure', 'failure', 'success', 'success'] as const)
    await postStored(url, { ...twice, status });
}

/** Returns responses without row ids and times, which differ between logs. */
async function figures(url: string, midnight: number): Promise<unknown> {
  const client = clientOf(url);
  // Use a fixed period, because a window would move if midnight passed between two responses.
  const query = { from: new Date(midnight - 30 * dayMs).toISOString(), to: new Date(midnight).toISOString() };
  const answers = await Promise.all([
    client.getMatrix(),
    client.getDora({ query }),
    client.getFrequency({ query }),
    client.getChangeFailureRate({ query }),
    client.getDurationHistogram({ query }),
    client.getPromotionFunnel({ query }),
    client.getStatusDistribution({ query }),
    client.getHeatmap({ query }),
    client.getTopDeployers({ query }),
    client.getIncidents({ query: { ...query, limit: 100 } }),
  ]);
  const text = JSON.stringify(answers.map(({ body }) => body));
  return JSON.parse(text.replace(/"id":"[^"]*",/g, '').replace(/"generated_at":"[^"]*",/, ''));
}

test('importing an export into an empty service gives the same board, figures and export', async () => {
  const [from, to] = [await emptyService(), await other.emptyService()];
  const midnight = Math.floor(Date.now() / dayMs) * dayMs;
  await fill(from, midnight);
  const exported = await ran(from, ['export']);
  expect([exported.code, exported.stderr]).toEqual([0, '524 events exported.\n']);
  const path = join(await testFolder(), 'events.ndjson');
  await writeFile(path, exported.stdout);
  expect((await ran(to, ['import', path])).stdout).toBe('524 rows: 524 posted, 0 already in the log, 0 refused.\n');
  expect(await figures(to, midnight)).toEqual(await figures(from, midnight));
  const again = await ran(to, ['export', '--quiet']);
  // An import does not preserve the order of rows in different slots with equal times.
  const withoutIds = (text: string) =>
    text
      .replace(/"id":"[^"]*",/g, '')
      .split('\n')
      .sort();
  expect(withoutIds(again.stdout)).toEqual(withoutIds(exported.stdout));
  expect(again.stderr).toBe('');
});

test('events are sorted by happened_at, then id', async () => {
  const url = await emptyService();
  const posted: DeploymentEvent[] = [];
  for (const n of [3, 1, 2, 1, 3]) posted.push(await postStored(url, anEvent({ happened_at: minute(n) })));
  const [a, b, c, d, e] = posted;
  expect(documents((await ran(url, ['export'])).stdout)).toEqual([b, d, c, a, e]);
});

test('an export can be limited to services and a period', async () => {
  const url = await emptyService();
  for (const [n, service] of ['pay-api', 'pay-web', 'Pay-x', 'a*b', 'axb'].entries()) {
    await postStored(url, anEvent({ service, happened_at: minute(n) }));
  }
  const services = async (...options: string[]) =>
    (documents((await ran(url, ['export', ...options])).stdout) as DeploymentEvent[]).map(({ service }) => service);
  expect(await services('--services', 'pay-*')).toEqual(['pay-api', 'pay-web']);
  expect(await services('--services', 'a\\*b', '--services', '?ay-x')).toEqual(['Pay-x', 'a*b']);
  expect(await services('--since', minute(1), '--until', minute(3))).toEqual(['pay-web', 'Pay-x']);
  expect(await services('--since', '2026-05-05')).toEqual([]);
  expect(await services('--until', '1d', '--since', '30000d')).toHaveLength(5);
});

test.each([
  ['--services', ''],
  ['--services', 'pay\\'],
  ['--since', 'yesterday'],
  ['--until', '2026-02-30'],
  ['--since', '999999999d'],
])('export with %s %j is a usage error', async (option, value) => {
  expect(await ran('http://127.0.0.1:1', ['export', option, value])).toMatchObject({ code: 2, stdout: '' });
});

test('export reports an unavailable service', async () => {
  const { code, stderr } = await ran('http://127.0.0.1:1', ['export']);
  expect([code, stderr]).toEqual([4, expect.stringContaining('Check --url or SHIPLOG_URL')]);
});

test('export prints nothing for an empty log', async () => {
  const url = await emptyService();
  expect(await ran(url, ['export'])).toEqual({ code: 0, stdout: '', stderr: '0 events exported.\n' });
});
