import { clientOf, fileService, sharedService } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '../src/db/database.ts';
import { listReleases, type Scan } from '../src/db/releases.ts';
import { Servers } from '../src/db/servers.ts';

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

const empty = sharedService();

/** Small scans: a search needs more of them if fewer of the newest releases match. */
const scans: readonly Scan[] = [{ by: 'time', max: 3 }, { by: 'name', max: 4 }, { by: 'time', max: 8 }, { by: 'name' }];

test.each(['1.2', '2.1', '.0.', 'RC', 'abcd', 'abcdef0', '1.2.3', 'nothing', '9.9'])(
  'a search for %s finds the same releases in the same order, whichever scan ends it',
  async (q) => {
    const { url, databaseUrl } = await empty();
    const releases = Array.from({ length: 40 }, (_, n) => ({
      service: `service-${n % 3}`,
      version: n % 9 === 8 ? undefined : `${1 + (n % 4)}.${n % 5}.${n % 2}${n % 7 === 0 ? '-rc' : ''}`,
      sha: `${['abcdef', 'abcd12', '77'][n % 3]}${String(n).padStart(34, '0')}`,
    }));
    await appendAll(
      databaseUrl,
      releases.map(({ version, ...release }, n) => ({
        ...{ ...release, ...(version !== undefined && { version }), deployment_id: `d-${n}`, environment: 'prod' },
        status: 'success' as const,
        happened_at: new Date(Date.UTC(2026, 4, 4) + n * 1000).toISOString(),
      })),
    );
    const isFound = ({ version, sha }: (typeof releases)[number]) =>
      version?.toLowerCase().includes(q.toLowerCase()) || (/^[0-9a-f]{4,}$/i.test(q) && sha.startsWith(q));
    const names = releases.map(({ service, version, sha }) => `${service} ${version ?? sha}`);
    const expected = [...new Set(names.filter((_, n) => releases[n] && isFound(releases[n])).reverse())];
    // Brings the folds up to date.
    await clientOf(url).listReleases({ query: { q } });
    const database = new Database(new Servers([{ connectionString: databaseUrl }]), () => undefined);
    onTestFinished(() => database.stop());
    for (const searches of [scans, scans.slice(1), scans.slice(3), undefined]) {
      const found: string[] = [];
      let after: Awaited<ReturnType<typeof listReleases>>['next'];
      do {
        const page = { service: undefined, q, after, size: 3, below: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
        const listed = await database.reads.session((session) => listReleases(session, page, searches));
        found.push(...listed.releases.map(({ service, release }) => `${service} ${release.slice(1)}`));
        after = listed.next;
      } while (after);
      expect(found).toEqual(expected);
    }
  },
);
