import type { DeploymentEventIngest } from '@shiplog/contract';
import { emptyLog, runService, runs, testDatabase } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendAll } from './support/bulk-append.ts';
import { expectDerived } from './support/derived.ts';
import { answered, questionPaths } from './support/questions.ts';
import { releaseHistory } from './support/release-history.ts';
import { copyLog, removeEvent } from './support/removing.ts';

const hourMs = 3_600_000;

/** The generated times are some hours ago, so that windows include them. */
function lately(events: readonly DeploymentEventIngest[], startMs: number): DeploymentEventIngest[] {
  return events.map((event, index) => {
    const [whole = '', fraction = ''] = new Date(startMs + (index % 4) * hourMs).toISOString().split('.000Z');
    return { ...event, happened_at: `${whole.slice(0, -2)}${event.happened_at.slice(17)}${fraction}` };
  });
}

const histories = fc.array(
  fc.record({ events: releaseHistory, removed: fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }) }),
  { minLength: 1, maxLength: 3 },
);

const allPaths = [
  ...questionPaths(),
  ...['/api/matrix', '/api/matrix?service=api', '/api/deployments', '/api/deployments?environment=prod'],
  ...['/api/services', '/api/environments', '/api/releases?service=api', '/api/releases/api/1.1'],
  ...['/api/releases/api/rc', '/api/analytics/stages', '/api/analytics/top-deployers', '/api/analytics/heatmap'],
];

test('after removals, every response of every instance equals that of a log without the removed events', async () => {
  const [database, other] = [await testDatabase(), await testDatabase()];
  const services = await Promise.all([1, 2].map(() => runService({ databaseUrl: database.url })));
  const plain = await runService({ databaseUrl: other.url });
  const startMs = Math.floor((Date.now() - 9 * hourMs) / hourMs) * hourMs;
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      await emptyLog(database.url);
      const ids: string[] = [];
      for (const { events, removed } of history) {
        ids.push(...(await appendAll(database.url, lately(events, startMs))));
        const said = new Map<string, string | null>();
        for (const path of allPaths) said.set(path, (await answered(services[1]?.url ?? '', path)).etag);
        for (const index of removed) {
          const [id = ''] = ids.splice(index % Math.max(ids.length, 1), 1);
          if (id) expect(await removeEvent(services[0]?.url ?? '', id)).toBe(204);
        }
        await expectDerived(database.url);
        await copyLog(database.url, other.url);
        for (const path of allPaths) {
          const due = await answered(plain.url, path);
          for (const { url } of services) expect({ path, ...(await answered(url, path)) }).toEqual({ path, ...due });
          const etag = said.get(path) ?? undefined;
          const again = await answered(services[1]?.url ?? '', path, etag);
          expect({ path, ...again }).toEqual({
            path,
            ...due,
            ...(etag === due.etag && etag && { status: 304, json: '' }),
          });
        }
      }
    }),
    { numRuns: runs(4), interruptAfterTimeLimit: 200_000 },
  );
  await Promise.all([...services, plain].map((service) => service.stop()));
}, 300_000);
