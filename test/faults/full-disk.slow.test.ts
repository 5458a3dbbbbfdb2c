import { anEvent, clientOf, testService, until } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseServer } from './database-server.ts';

/** A nearly full disk occasionally accepts a row, because a table page still has space. */
const refusedPostsMin = 3;
const probes = 20;

test('an instance with a full disk is not ready until space is freed, and /readyz names the failed check', async ({
  skip,
}) => {
  const server = await DatabaseServer.open();
  onTestFinished(() => server.close());
  const { disk } = server;
  if (!disk) return skip(server.noDisk);
  const service = await testService({ databaseUrl: server.url });
  const ready = async () => (await fetch(`${service.url}/readyz`)).status;
  const post = () =>
    clientOf(service.url)
      .appendDeployment({ body: anEvent({ run_url: `https://ci.example/${'x'.repeat(2000)}` }) })
      .then(
        () => undefined,
        (error: { status: number; problem?: { detail: string } }) => error,
      );
  expect(await ready()).toBe(200);
  await disk.fill();
  const refused: unknown[] = [];
  await until(async () => {
    const error = await post();
    if (error) refused.push([error.status, error.problem?.detail]);
    return refused.length >= refusedPostsMin && (await ready()) === 503;
  });
  expect(refused).toContainEqual([503, expect.stringMatching(/^The database has no disk space left. Free some/)]);
  const seen = new Set<number>();
  for (let probe = 1; probe <= probes; probe += 1) seen.add(await ready());
  expect([...seen]).toEqual([503]);
  disk.free();
  await until(async () => (await ready()) === 200);
  expect(await post()).toBeUndefined();
});
