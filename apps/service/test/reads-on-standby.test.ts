import { until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { answered, expectSame, questionPaths, readCounts } from './support/questions.ts';
import { instances, lagEvents, plainInstance, postSome } from './support/reading.ts';
import { openPair } from './support/standby.ts';

const never = 24 * 3_600_000;

test('responses are read from a standby that is not behind, and equal those of the primary', async () => {
  const pair = await openPair();
  const { plain, reading } = await instances(pair);
  await postSome(plain.url, 0, 60);
  await pair.caughtUp();
  await expectSame(reading.url, plain.url);
  expect(await readCounts(reading.url)).toEqual({ standby: questionPaths().length, primary: 0, reasons: {} });
  // The primary handles reads beyond the standby's connections, and the standby stays in use.
  const burst = await Promise.all(Array.from({ length: 20 }, () => answered(reading.url, '/api/releases')));
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]));
  const { primary, reasons } = await readCounts(reading.url);
  expect(reasons.busy ?? 0).toBe(primary);
  await expectSame(reading.url, plain.url);
  expect((await readCounts(reading.url)).primary).toBe(primary);
  // While the standby replays, the primary may handle some requests.
  for (const from of [60, 80, 100]) {
    await postSome(plain.url, from, 20);
    await expectSame(reading.url, plain.url);
  }
});

test('clients can read their own posts however far the standby is behind, and the standby is used again when it has caught up', async () => {
  const pair = await openPair();
  const { plain, reading } = await instances(pair);
  await postSome(plain.url, 0, 30);
  await pair.caughtUp();
  await pair.pause();
  for (const from of [30, 40]) {
    await postSome(reading.url, from, 10);
    await expectSame(reading.url, plain.url);
  }
  const { standby, primary, reasons } = await readCounts(reading.url);
  expect({ standby, reasons }).toEqual({ standby: 0, reasons: { behind: primary } });
  await until(async () => (await lagEvents(reading.url)) === 20);
  await pair.resume();
  await until(async () => (await lagEvents(reading.url)) === 0);
  await expectSame(reading.url, plain.url);
  await postSome(reading.url, 50, 10);
  await pair.caughtUp();
  await until(async () => (await lagEvents(reading.url)) === 0);
  await expectSame(reading.url, plain.url);
  expect(await readCounts(reading.url)).toMatchObject({ primary, reasons });
  expect(reading.lines.filter(({ msg }) => msg.includes('standby is'))).toEqual([]);
});

test('a standby that was promoted to primary is no longer read, even in an existing session', async () => {
  const pair = await openPair();
  const { plain, reading } = await instances(pair, pair.standbyUrl, { standbyProbeMs: never });
  await postSome(plain.url, 0, 30);
  await pair.caughtUp();
  await expectSame(reading.url, plain.url);
  const { standby } = await readCounts(reading.url);
  await pair.part();
  await pair.promote();
  const split = await plainInstance(pair.standbyUrl);
  await postSome(split.url, 30, 5);
  await postSome(plain.url, 50, 1);
  await postSome(split.url, 40, 5);
  await expectSame(reading.url, plain.url);
  expect(await readCounts(reading.url)).toEqual({
    standby,
    primary: questionPaths().length,
    reasons: { 'no-standby': questionPaths().length },
  });
});
