import { createClient } from '@shiplog/client';
import type { RefusedPosts } from '@shiplog/contract';
import { anEvent, testDatabase, testKeys, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';

test('rejected posts are counted by reason for all instances together, and accepted posts are not counted', async () => {
  const { url: databaseUrl } = await testDatabase();
  const times = { refusalsMs: 1 };
  const [one, other] = [await testService({ databaseUrl, times }), await testService({ databaseUrl, times })];
  const post = async (to: string, body: object | string, key: string = testKeys.api) => {
    const response = await fetch(`${to}/api/deployments`, {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  const long = anEvent({ version: 'v'.repeat(51) });
  const sent = [
    await post(one.url, anEvent({ version: 'v'.repeat(50) })),
    await post(one.url, long),
    await post(other.url, long),
    await post(other.url, { ...anEvent(), [`unknown-${'x'.repeat(99)}`]: 1 }),
    await post(one.url, '{'),
    await post(one.url, long, 'another-key'),
  ];
  expect(sent).toEqual([201, 422, 422, 422, expect.any(Number), 401]);
  const client = createClient({ baseUrl: other.url, keys: testKeys });
  const refused = async (): Promise<readonly RefusedPosts[] | undefined> => (await client.getQuality({})).body.refused;
  await expect.poll(refused).toEqual([
    { reason: '/version', posts: 2 },
    { reason: 'validation', posts: 2 },
    { reason: 'unauthorized', posts: 1 },
  ]);
});
