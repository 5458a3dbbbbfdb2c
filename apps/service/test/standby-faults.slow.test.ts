import { NetworkProxy, postStored, runSql, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { answered, expectSame, questionPaths, readCounts } from './support/questions.ts';
import { instances, postSome, readingInstance, someEvent, told } from './support/reading.ts';
import { openPair } from './support/standby.ts';

interface FrequencyAnswer {
  readonly buckets: readonly { readonly success: number; readonly failure: number }[];
}

test('no response of any instance is older than its previous one while events arrive and a standby lags', async () => {
  const pair = await openPair();
  const { reading } = await instances(pair);
  const other = await readingInstance(pair.primaryUrl, pair.standbyUrl);
  const [path = ''] = questionPaths();
  let posted = 0;
  let known = 0;
  let isOver = false;
  const posting = (async () => {
    while (!isOver) {
      await postStored(reading.url, { ...someEvent(posted), status: 'success' });
      posted += 1;
    }
  })();
  try {
    for (let round = 0; round < 40; round++) {
      if (round % 8 === 2) await pair.pause();
      if (round % 8 === 6) await pair.resume();
      const before = posted;
      const { json } = await answered([reading, other][round % 2]?.url ?? '', path);
      const { buckets }: FrequencyAnswer = JSON.parse(json);
      const total = buckets.reduce((sum, { success, failure }) => sum + success + failure, 0);
      expect(total).toBeGreaterThanOrEqual(Math.max(before, known));
      known = total;
    }
  } finally {
    isOver = true;
    await posting;
  }
  const counts = await Promise.all([reading, other].map(({ url }) => readCounts(url)));
  expect(counts.every(({ standby, reasons }) => standby > 0 && (reasons.behind ?? 0) > 0)).toBe(true);
});

test.each(['refused', 'silent'] as const)(
  'a standby that is %s during a read causes no error, and is used again when it is back',
  async (way) => {
    const pair = await openPair();
    const proxy = await NetworkProxy.open(pair.standbyUrl);
    const { plain, reading } = await instances(pair, proxy.url);
    await postSome(plain.url, 0, 30);
    await pair.caughtUp();
    const begun = proxy.holdAfter('recursive reporters');
    const answer = answered(reading.url, '/api/quality');
    await begun;
    proxy.way = way;
    expect((await answer).status).toBe(200);
    await expectSame(reading.url, plain.url);
    await until(async () => told(reading.lines, 'is unreachable') === 1);
    const { standby } = await readCounts(reading.url);
    expect(standby).toBe(0);
    proxy.way = 'open';
    await until(async () => told(reading.lines, 'is back') === 1);
    await until(async () => {
      await answered(reading.url, '/api/releases');
      return (await readCounts(reading.url)).standby > 0;
    });
    expect([told(reading.lines, 'is unreachable'), told(reading.lines, 'is back')]).toEqual([1, 1]);
  },
);

test('a standby that cancels a snapshot because replay must continue causes no error', async () => {
  const pair = await openPair();
  const proxy = await NetworkProxy.open(pair.standbyUrl);
  const { plain, reading } = await instances(pair, proxy.url);
  await postSome(plain.url, 0, 30);
  await runSql(pair.standbyUrl, 'alter system set max_standby_streaming_delay = 0');
  await runSql(pair.standbyUrl, 'select pg_reload_conf()');
  await runSql(pair.primaryUrl, 'create table shreds as select n from generate_series(1, 1000) n');
  await pair.caughtUp();
  const begun = proxy.holdAfter('recursive reporters');
  const answer = answered(reading.url, '/api/quality');
  await begun;
  await runSql(pair.primaryUrl, 'delete from shreds');
  await runSql(pair.primaryUrl, 'vacuum shreds');
  await pair.caughtUp();
  proxy.way = 'open';
  expect(await answer).toEqual(await answered(plain.url, '/api/quality'));
  expect(await readCounts(reading.url)).toEqual({ standby: 0, primary: 1, reasons: { conflict: 1 } });
  await answered(reading.url, '/api/quality');
  expect((await readCounts(reading.url)).standby).toBe(1);
});
