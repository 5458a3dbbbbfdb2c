import { createClient } from '@shiplog/client';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, testDatabase, testKeys, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';

/** A service with a separate log. */
async function badges() {
  const { url } = await testService({ databaseUrl: (await testDatabase()).url });
  const client = createClient({ baseUrl: url, keys: { api: testKeys.api } });
  return {
    client,
    post: (event: Partial<DeploymentEventIngest>) => client.appendDeployment({ body: anEvent(event) }),
    badge: async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${url}/badges/${path}`, { headers });
      const text = await response.text();
      const says = [...text.matchAll(/<text [^>]*>([^<]*)</g)].map(([, content]) => content).join(' | ');
      return { status: response.status, headers: response.headers, text, says };
    },
  };
}

test('a badge changes with its slot, and a request for an unchanged badge returns 304', async () => {
  const { client, post, badge } = await badges();
  const place = { service: 'payments-api', environment: 'prod' };
  expect(await badge('payments-api/prod.svg')).toMatchObject({ status: 200, says: 'prod | not deployed' });
  await post({ ...place, version: '7.1.4' });
  const first = await badge('payments-api/prod.svg');
  expect(first.says).toBe('prod | 7.1.4');
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  const validator = { 'If-None-Match': first.headers.get('etag') ?? '' };
  await post({ ...place, environment: 'staging', version: '8' });
  const second = await badge('payments-api/prod.svg', validator);
  expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', first.headers.get('etag')]);
  await post({ ...place, version: '7.2.0', status: 'failure' });
  expect(await badge('payments-api/prod.svg', validator)).toMatchObject({ status: 200, says: 'prod | 7.2.0 failed' });
  const { body } = await client.getBadge({ params: place, query: { label: 'payments' } });
  expect(body).toMatch(/^<svg .*>payments<.*>7\.2\.0 failed</s);
});

test("names in a badge's URL are percent-encoded, and a custom label is shown on the left", async () => {
  const { post, badge } = await badges();
  for (const name of ['team/api', 'a.svg', 'line\nbreak', '<b>&"', 'é ü', '%2F', '__proto__', 'x?y#z']) {
    await post({ service: name, environment: name, version: '1' });
    const path = `${encodeURIComponent(name)}/${encodeURIComponent(name)}.svg`;
    expect([name, (await badge(path)).says]).toEqual([name, expect.stringMatching(/ \| 1$/)]);
    expect((await badge(`${path}?label=Now%20%26%20then`)).says).toMatch(/^Now &amp; then \| /);
  }
  expect((await badge('a/prod.svg?label=')).says).toBe('prod | not deployed');
  expect((await badge('a%00/%E0%A4%A.svg')).says).toMatch(/not deployed$/);
  expect((await badge('a/prod.svg?label=x&label=y')).status).toBe(422);
  expect([(await badge('a/prod.png')).status, (await badge('a/.svg')).status]).toEqual([404, 404]);
});
