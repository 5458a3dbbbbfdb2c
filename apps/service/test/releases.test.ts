import { clientOf, fileService } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';

const log = fileService();

test('a release with very many rows does not hide later releases in the list', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 4, 4) + second * 1000).toISOString();
  const release = (version: string, second: number) => ({
    deployment_id: `${version}-${second}`,
    service: 'api',
    environment: 'prod',
    status: 'success' as const,
    happened_at: at(second),
    version,
  });
  const many = Array.from({ length: 200 }, (_, n) => release('new', 2 + n));
  await appendAll(log.databaseUrl, [release('oldest', 0), release('old', 1), ...many]);
  const versions = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await clientOf(log.url).listReleases({ query: { limit: 1, ...(cursor && { cursor }) } });
    versions.push(...body.items.map(({ version }) => version));
    cursor = body.next_cursor;
  }
  expect(versions).toEqual(['new', 'old', 'oldest']);
});
