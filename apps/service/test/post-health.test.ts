import { anEvent, clientOf, openTransaction, testDatabase, testService, until } from '@shiplog/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseUnavailable } from '../src/db/errors.ts';
import { PostHealth } from '../src/posts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const fails = () => Promise.reject(new DatabaseUnavailable('the disk is full'));
const works = () => Promise.resolve();

test('posts that fail for longer than five seconds are reported until a post or a trial post succeeds', async () => {
  let trial = fails;
  const health = new PostHealth({ oldestSince: () => undefined, trial: () => trial() });
  await expect(health.watch(fails())).rejects.toThrow('full');
  await vi.advanceTimersByTimeAsync(5000);
  health.check();
  await vi.advanceTimersByTimeAsync(1);
  expect(() => health.check()).toThrow(DatabaseUnavailable);
  await vi.advanceTimersByTimeAsync(0);
  expect(() => health.check()).toThrow(DatabaseUnavailable);
  trial = works as typeof fails;
  await vi.advanceTimersByTimeAsync(0);
  expect(() => health.check()).toThrow(DatabaseUnavailable);
  await vi.advanceTimersByTimeAsync(0);
  health.check();
});

test('after a disk was full, posts are reported as failing until a trial post finds disk space', async () => {
  const fullDisk = () => {
    const cause = Object.assign(new pg.DatabaseError('no space left on device', 0, 'error'), { code: '53100' });
    return Promise.reject(new DatabaseUnavailable(cause.message, { cause }));
  };
  let isFull = true;
  // An existing row can be changed even if the disk is full.
  const trial = vi.fn((needsRoom: boolean) => (needsRoom && isFull ? fullDisk() : works()));
  const health = new PostHealth({ oldestSince: () => undefined, trial });
  await expect(health.watch(fullDisk())).rejects.toThrow('no space');
  await vi.advanceTimersByTimeAsync(5001);
  for (let probe = 1; probe <= 10; probe += 1) {
    expect(() => health.check()).toThrow(DatabaseUnavailable);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(trial).toHaveBeenCalledTimes(10);
  isFull = false;
  expect(() => health.check()).toThrow(DatabaseUnavailable);
  await vi.advanceTimersByTimeAsync(0);
  health.check();
});

test('an invalid post does not count as a database failure', async () => {
  const health = new PostHealth({ oldestSince: () => undefined, trial: fails });
  await expect(health.watch(Promise.reject(new Error('a bad row')))).rejects.toThrow('bad row');
  await vi.advanceTimersByTimeAsync(60_000);
  health.check();
});

test('a post that waits for longer than five seconds is reported with its waiting time', async () => {
  let since: number | undefined = performance.now();
  const health = new PostHealth({ oldestSince: () => since, trial: works });
  await vi.advanceTimersByTimeAsync(5001);
  expect(() => health.check()).toThrow(DatabaseUnavailable);
  expect(health.oldestSeconds).toBeCloseTo(5, 1);
  since = undefined;
  health.check();
  expect(health.oldestSeconds).toBe(0);
});

test('an instance is not ready while posts wait for the database, and is ready when they are stored', async () => {
  vi.useRealTimers();
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const status = async () => (await fetch(`${url}/readyz`)).status;
  expect(await status()).toBe(200);
  const holder = await openTransaction(databaseUrl, `select from log_heads where log = 'deployments' for update`);
  const post = clientOf(url).appendDeployment({ body: anEvent() });
  const refused = expect(post).rejects.toMatchObject({ status: 503 });
  await until(async () => (await status()) === 503);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ checks: { db: 'fail', listen: 'ok' } });
  await refused;
  await holder.query('rollback');
  await until(async () => (await status()) === 200);
});
